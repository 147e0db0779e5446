/**
 * Preloaded into a worker: lets the process die, or one call fail, at the k-th file-system step that changes
 * anything below WISP_TEST_HOME. With WISP_TEST_STEP=0 it only counts and reports the number at the end.
 *   WISP_TEST_FAULT: "SIGKILL", or the name of an errno
 */
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const home = process.env.WISP_TEST_HOME ?? "";
const target = Number(process.env.WISP_TEST_STEP);
const fault = process.env.WISP_TEST_FAULT ?? "SIGKILL";
/** @type {string[]} */
const steps = [];
/** Descriptors opened below the home for writing. */
const open = new Set();

/** @param {string} name */
function step(name) {
  steps.push(name);
  if (steps.length !== target) return;
  if (fault === "SIGKILL") {
    process.kill(process.pid, "SIGKILL");
    // The signal is delivered before the next instruction of this thread is certain to run: wait for it.
    for (;;);
  }
  throw Object.assign(new Error(`${fault}: injected, ${name}`), { code: fault, syscall: name });
}

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
    if (isOurs(args[0])) step(name);
    return original(...args);
  };
}
const openSync = patched.openSync;
patched.openSync = (/** @type {any[]} */ ...args) => {
  const isWriting =
    typeof args[1] === "number" && (args[1] & (fs.constants.O_CREAT | fs.constants.O_DIRECTORY)) !== 0;
  if (isOurs(args[0]) && isWriting) step("openSync");
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
syncBuiltinESMExports();

process.on("exit", () => {
  if (target === 0) fs.writeFileSync(process.env.WISP_TEST_REPORT ?? "", JSON.stringify(steps));
});
