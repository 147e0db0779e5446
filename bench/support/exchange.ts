/** Several clients, each measured in its turn. */
import type { StdioClient } from "./stdio-client.js";

/** One exchange of a client: microseconds. */
export type Exchange = (client: StdioClient) => Promise<number>;

/** Each of `ways` in turn, `count` times, another one first each time: what each took. */
export async function exchanged(
  ways: readonly StdioClient[],
  exchange: Exchange,
  count: number,
  pause: () => Promise<void> = async () => undefined,
): Promise<readonly (readonly number[])[]> {
  const took: number[][] = ways.map(() => []);
  for (let round = 0; round < count; round += 1) {
    for (let turn = 0; turn < ways.length; turn += 1) {
      const at = (round + turn) % ways.length;
      const client = ways[at];
      if (client === undefined) continue;
      await pause();
      took[at]?.push(await exchange(client));
    }
  }
  return took;
}
