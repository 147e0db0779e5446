/** `wisp-tui`: the face as a program of its own. */
const { main } = await import("./main.js");
process.exitCode = await main(process.argv.slice(2));

export {};
