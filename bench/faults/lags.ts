/** Preloaded into a program: whatever it writes to its standard output comes five milliseconds late. */
const write = process.stdout.write.bind(process.stdout) as (text: string | Uint8Array) => boolean;

process.stdout.write = (text: string | Uint8Array): boolean => {
  const until = performance.now() + 5;
  while (performance.now() < until);
  return write(text);
};
