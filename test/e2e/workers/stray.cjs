// Preloaded into a server: a careless library that prints to standard output.
process.on("SIGUSR2", () => {
  process.stdout.write("stray\n");
  // biome-ignore lint/suspicious/noConsole: it stands for a library that does.
  console.log("stray too");
});
