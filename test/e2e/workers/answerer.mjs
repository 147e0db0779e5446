/** A face without a screen: answers the request it is told over IPC, and reports how that ended. */
const door = await import(new URL("../../../dist/broker/index.js", import.meta.url).href);
const { DirectoryChannel, answerAndWait, homeAt, systemClock } = door;

const channel = new DirectoryChannel({
  home: homeAt(process.env.WISP_TEST_HOME, false),
  clock: systemClock,
  asker: null,
  onRefused: () => {},
});
process.once("message", async (message) => {
  const { request, answer } = /** @type {{ request: any, answer: any }} */ (message);
  const signal = new AbortController().signal;
  const ending = await answerAndWait(request, answer, {
    channel,
    clock: systemClock,
    signal,
    onSilent: () => {},
    sweep: () => {},
  });
  channel.close();
  process.send?.({ ending }, () => process.disconnect?.());
});
process.send?.({ ready: true });
