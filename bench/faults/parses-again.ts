/** Preloaded into a program: each line on its standard output is parsed and written anew, as a second server would. */
const write = process.stdout.write.bind(process.stdout) as (text: string | Uint8Array) => boolean;

process.stdout.write = (text: string | Uint8Array): boolean => {
  const parsed: unknown = JSON.parse(text.toString());
  for (let time = 0; time < 4; time += 1) JSON.parse(JSON.stringify(parsed));
  return write(`${JSON.stringify(parsed)}\n`);
};
