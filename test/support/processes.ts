/** What is there of other processes. */

/** Resolves once process `pid` is gone: a signal is sent before it has done its work. */
export async function gone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}
