/**
 * Loaded into a server before its own first line, by whoever can make that happen at that moment: ends the process that
 * started its parent, and goes on once the system has given the parent another one.
 */
const { readFileSync } = require("node:fs");

const grandparent = parentOf(process.ppid);
process.kill(grandparent, "SIGKILL");
while (parentOf(process.ppid) === grandparent);

/** @param {number} pid */
function parentOf(pid) {
  return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8"))?.[1]);
}
