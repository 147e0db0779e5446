/**
 * `wisp`. Server and gate are found at once and load nothing of the command line: clients start them, sometimes only to
 * look. Everything else is the command line.
 */

/** What stands behind `gate` where a person typed it: its help, and what wires it into a client. */
function isForPerson(word: string | undefined): boolean {
  return word === undefined || ["-h", "--help", "help", "install", "uninstall"].includes(word);
}

async function run(words: readonly string[]): Promise<number> {
  if (words.length === 1 && words[0] === "mcp") {
    // It sets the mask of files itself: it has to know the one it was started with, which approved commands keep.
    const { main } = await import("../server/mcp/main.js");
    return await main([]);
  }
  if (words[0] === "gate" && !isForPerson(words[1])) {
    const { main } = await import("../server/gate/main.js");
    return await main(words.slice(1));
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
