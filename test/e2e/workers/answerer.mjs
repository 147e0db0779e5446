/**
 * A face without a screen: gives the answers that it is told over IPC, each as its own process and from the terminal
 * that it may have, and reports how each ended. Ends with its IPC.
 */
import { readlinkSync } from "node:fs";

const door = await import(String(process.env.WISP_TEST_DOOR));
const { DirectoryChannel, answerAndWait, homeAt, startedAtOf, systemClock } = door;

const channel = new DirectoryChannel({
  home: homeAt(process.env.WISP_TEST_HOME, false),
  clock: systemClock,
  asker: null,
  onRefused: () => {},
});
const input = process.platform === "linux" ? readlinkSync("/proc/self/fd/0") : null;
const own = {
  pid: process.pid,
  startedAt: startedAtOf(process.pid),
  tty: /^\/dev\/pts\//.test(input ?? "") ? input : null,
};

process.on("message", async (message) => {
  const { request, answer } = /** @type {{ request: any, answer: any }} */ (message);
  const signal = new AbortController().signal;
  const signed = { ...answer, by: { ...answer.by, ...own } };
  const ending = await answerAndWait(request, signed, {
    channel,
    clock: systemClock,
    signal,
    onSilent: () => {},
    sweep: () => {},
  });
  process.send?.({ id: request.id, ending });
});
process.on("disconnect", () => channel.close());
process.send?.({ ready: true });
