/** What somebody who knows the form of the log, and not its keys, makes of one with three records. */
import { type ProvableLog, rewritten } from "./provable-log.js";

/** Each leaves a whole log, in which one record is not what was written. */
export const spoil = {
  /** A fourth with the next number, a mac of nothing and a right hash. */
  addsRecord(log: ProvableLog): void {
    const last = lastOf(log);
    const { hash } = JSON.parse(last) as { readonly hash: string };
    const more = rewritten(last, (body) =>
      body
        .replace(/"seq":3/, '"seq":4')
        .replace(/"prev":"[0-9a-f]{64}"/, `"prev":"${hash}"`)
        .replace(/"mac":"[0-9a-f]{64}"/, `"mac":"${"0".repeat(64)}"`),
    );
    log.put(`${log.read()}${more}`);
  },
  keepsHash(log: ProvableLog): void {
    log.put(log.read().replace("git push 2", "git pull 2"));
  },
  rightsHash(log: ProvableLog): void {
    const last = rewritten(lastOf(log), (body) => body.replace("push", "pull"));
    log.put([...log.lines().slice(0, 2), last].join(""));
  },
};

function lastOf(log: ProvableLog): string {
  return (
    log
      .lines()
      .filter((line) => line !== "")
      .at(-1) ?? ""
  );
}
