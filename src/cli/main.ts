/**
 * `wisp`. The server is found at once and loads nothing of the command line: clients start it, sometimes only to
 * look. Everything else is the command line.
 */

async function run(words: readonly string[]): Promise<number> {
  if (words.length === 1 && words[0] === "mcp") {
    // It sets the mask of files itself: it has to know the one it was started with, which approved commands keep.
    const { main } = await import("../server/mcp/main.js");
    return await main([]);
  }
  // What this process makes is for this person alone, whatever mask the shell has.
  process.umask(0o077);
  const { runWords } = await import("./command-line.js");
  return await runWords(words);
}

run(process.argv.slice(2))
  .catch(async (error: unknown) => {
    const { reportFailure } = await import("./command-line.js");
    return reportFailure(error);
  })
  .then((exit) => {
    // Nothing is cut off: the process ends when what it wrote is out and nothing holds it.
    process.exitCode = exit;
  });
