/** Preloaded into a program: whatever it writes to its terminal is written four times. */
const write = process.stdout.write.bind(process.stdout) as (text: string | Uint8Array) => boolean;

process.stdout.write = (text: string | Uint8Array): boolean => {
  for (let time = 0; time < 3; time += 1) write(text);
  return write(text);
};
