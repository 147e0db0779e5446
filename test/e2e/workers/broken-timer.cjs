// Preloaded into a server: a fault of its own in a timer, or a promise that nobody looks at, when it gets SIGUSR2.
process.on("SIGUSR2", () => {
  setTimeout(() => {
    const fault = new Error("broken\u001b[2J");
    if (process.env.WISP_TEST_FAULT === "rejection") Promise.reject(fault);
    else throw fault;
  }, 1);
});
