/**
 * Preloaded into a worker: lets the process die, or one call fail, at the k-th file-system step that changes
 * anything below WISP_TEST_HOME. With WISP_TEST_STEP=0 it only counts and reports the number at the end.
 *   WISP_TEST_FAULT: "SIGKILL", or the name of an errno
 *   WISP_TEST_AFTER: steps count only once a file whose name ends so has been in pending/
 *   WISP_TEST_ALWAYS: the name of a call that always fails with that errno
 *   WISP_TEST_BLIND: how many openings of answers for reading fail with EMFILE
 *   WISP_TEST_QUIET: "1" for a watch that never says anything
 */
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { basename, join } = require("node:path");

let home = process.env.WISP_TEST_HOME ?? "";
let target = Number(process.env.WISP_TEST_STEP);
const fault = process.env.WISP_TEST_FAULT ?? "SIGKILL";
const after = process.env.WISP_TEST_AFTER ?? "";
let isCounting = after === "";
const always = process.env.WISP_TEST_ALWAYS ?? "";
let blind = Number(process.env.WISP_TEST_BLIND ?? "0");
/** @type {string[]} */
const steps = [];
/** Descriptors opened below the home for writing. */
const open = new Set();

/** For a worker that does one thing after the other, each in a home of its own: counting begins anew, for that home. */
/** @type {any} */ (globalThis).wispFaultAt = (/** @type {string} */ path, /** @type {number} */ next) => {
  home = path;
  target = next;
  steps.length = 0;
};

/**
 * @param {string} name
 * @param {unknown} path
 */
function step(name, path = "") {
  if (name === always) throw failure(name, fault);
  isCounting ||= isInPending(after);
  if (!isCounting) return;
  steps.push(`${name} ${basename(String(path))}`.trim());
  if (steps.length !== target) return;
  if (fault === "SIGKILL") {
    process.kill(process.pid, "SIGKILL");
    // The signal is delivered before the next instruction of this thread is certain to run: wait for it.
    for (;;);
  }
  throw failure(name, fault);
}

/**
 * @param {string} name
 * @param {string} code
 */
function failure(name, code) {
  return Object.assign(new Error(`${code}: injected, ${name}`), { code, syscall: name.replace(/Sync$/, "") });
}

/** @param {string} suffix */
function isInPending(suffix) {
  const pending = join(home, "pending");
  return fs.existsSync(pending) && fs.readdirSync(pending).some((name) => name.endsWith(suffix));
}

/** @param {string} path */
const isAnswerThere = (path) => path.endsWith(".answer.json") && fs.existsSync(path);

/** @param {unknown} path */
const isOurs = (path) => typeof path === "string" && path.startsWith(home);

/** @type {any} */
const patched = fs;
for (const name of [
  "linkSync",
  "unlinkSync",
  "renameSync",
  "mkdirSync",
  "utimesSync",
  "rmSync",
  "writeFileSync",
]) {
  const original = patched[name];
  patched[name] = (/** @type {any[]} */ ...args) => {
    if (isOurs(args[0])) step(name, args[0]);
    return original(...args);
  };
}
const openSync = patched.openSync;
patched.openSync = (/** @type {any[]} */ ...args) => {
  const isWriting =
    typeof args[1] === "number" && (args[1] & (fs.constants.O_CREAT | fs.constants.O_DIRECTORY)) !== 0;
  if (isOurs(args[0]) && isWriting) step("openSync", args[0]);
  if (blind > 0 && isOurs(args[0]) && !isWriting && isAnswerThere(args[0])) {
    blind -= 1;
    throw failure("openSync", "EMFILE");
  }
  const file = openSync(...args);
  if (isOurs(args[0]) && isWriting) open.add(file);
  return file;
};
for (const name of ["writeSync", "fchmodSync", "closeSync"]) {
  const original = patched[name];
  patched[name] = (/** @type {any[]} */ file, /** @type {any[]} */ ...args) => {
    const isWriting = open.has(file);
    if (name === "closeSync") open.delete(file);
    // A close that fails has closed all the same.
    if (isWriting && !(name === "closeSync" && fault !== "SIGKILL")) step(name);
    return original(file, ...args);
  };
}
for (const name of ["fdatasync", "fsync"]) {
  const original = patched[name];
  patched[name] = (/** @type {any} */ file, /** @type {(error: unknown) => void} */ done) => {
    if (open.has(file)) {
      try {
        step(name);
      } catch (error) {
        process.nextTick(done, error);
        return;
      }
    }
    original(file, done);
  };
}
if (process.env.WISP_TEST_QUIET === "1") patched.watch = () => ({ close() {}, on() {} });
syncBuiltinESMExports();

process.on("exit", () => {
  if (target === 0) fs.writeFileSync(process.env.WISP_TEST_REPORT ?? "", JSON.stringify(steps));
});
