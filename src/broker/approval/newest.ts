/** Maps that forget the oldest: nobody can fill them without end. */

/** Puts `one` under `key` as the newest in `map`; of more than `most` the oldest goes. */
export function putNewest<One>(map: Map<string, One>, key: string, one: One, most: number): void {
  map.delete(key);
  map.set(key, one);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
