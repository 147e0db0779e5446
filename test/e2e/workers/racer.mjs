/**
 * One of many processes that answer the same request at the same instant. Told over IPC what to answer and when;
 * reports whether its link came first and whose answer the receipt says was taken.
 */
const door = await import(String(process.env.WISP_TEST_DOOR));
const { DirectoryChannel, answerHash, homeAt, systemClock } = door;

const channel = new DirectoryChannel({
  home: homeAt(String(process.argv[2]), false),
  clock: systemClock,
  asker: null,
  onRefused: () => {},
});

process.on("message", (message) => {
  const { round, answer, at } = /** @type {{ round: number, answer: any, at: number }} */ (message);
  spinUntil(at);
  const isFirst = channel.answer(answer);
  const hash = answerHash(answer);
  const stop = channel.changes(look);
  look();
  function look() {
    const receipt = channel.receipt(answer.id);
    if (receipt === null) return;
    stop();
    if (isFirst && receipt.answer !== hash) channel.retract(answer);
    process.send?.({ round, isFirst, hash, taken: receipt.answer, outcome: receipt.outcome });
  }
});
process.send?.({ ready: true });

/** @param {number} at epoch milliseconds */
function spinUntil(at) {
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const left = at - Date.now();
  if (left > 2) Atomics.wait(cell, 0, 0, left - 1);
  while (Date.now() < at);
}
