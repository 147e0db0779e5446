/** Node and nothing else: it says that it runs, and waits for the end of its input. */
process.stdin.resume();
process.stdout.write("here\n");
