/** What a library prints that knows no other way out than the console. */

/** The lines that `run` prints, and nothing of it on any screen. `run` is over when it returns. */
export function printedBy(run: () => void): string {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: string) => lines.push(`${line}\n`);
  try {
    run();
  } finally {
    console.log = log;
  }
  return lines.join("");
}
