/**
 * Preloaded into a worker: lets the process die, or one call fail, at one file-system step that changes anything below
 * WISP_TEST_HOME. With WISP_TEST_STEP=0 it only counts, and reports the names of the steps at the end. A step is named by its
 * call, the file, and how often that came since the process began; what is drawn by chance in the name of a file stands as *.
 *   WISP_TEST_STEP: the name of a step, the same in every run whatever waits for whom; or a number k, for the k-th that counts
 *   WISP_TEST_FAULT: "SIGKILL", or the name of an errno
 *   WISP_TEST_AFTER: steps count only once a file whose name ends so has been in pending/; a name is looked for before that, too
 *   WISP_TEST_HELD_MS: timers of so many milliseconds never ring: what they would do is left to the end of the process
 *   WISP_TEST_ALWAYS: the name of a call that always fails with that errno
 *   WISP_TEST_BLIND: how many openings of answers for reading fail with EMFILE
 *   WISP_TEST_QUIET: "1" for a watch that never says anything
 */
const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");
const { basename, join } = require("node:path");

let home = process.env.WISP_TEST_HOME ?? "";
let target = process.env.WISP_TEST_STEP ?? "";
let isReporting = target === "0";
const fault = process.env.WISP_TEST_FAULT ?? "SIGKILL";
const after = process.env.WISP_TEST_AFTER ?? "";
let isCounting = after === "";
const always = process.env.WISP_TEST_ALWAYS ?? "";
let blind = Number(process.env.WISP_TEST_BLIND ?? "0");
/** @type {string[]} */
const steps = [];
/** How often each came. @type {Map<string, number>} */
const seen = new Map();
/** Descriptors opened below the home for writing, and of which file. @type {Map<number, string>} */
const open = new Map();

/** For a worker that does one thing after the other, each in a home of its own: counting begins anew, for that home. */
/** @type {any} */ (globalThis).wispFaultAt = (/** @type {string} */ path, /** @type {number} */ next) => {
  home = path;
  target = String(next);
  isReporting = false;
  steps.length = 0;
  seen.clear();
};

/**
 * @param {string} name
 * @param {unknown} path
 */
function step(name, path = "") {
  if (name === always) throw failure(name, fault);
  isCounting ||= isInPending(after);
  const own = nameOf(`${name} ${lastingName(basename(String(path)))}`.trim());
  if (isCounting) steps.push(own);
  if (own !== target && !(isCounting && String(steps.length) === target)) return;
  if (fault === "SIGKILL") {
    process.kill(process.pid, "SIGKILL");
    // The signal is delivered before the next instruction of this thread is certain to run: wait for it.
    for (;;);
  }
  throw failure(name, fault);
}

/** @param {string} step */
function nameOf(step) {
  const times = (seen.get(step) ?? 0) + 1;
  seen.set(step, times);
  return times === 1 ? step : `${step} (${times})`;
}

/** Identifiers, tokens and hashes differ from run to run; they stand before or behind a dot. @param {string} file */
function lastingName(file) {
  const parts = file.split(".");
  if (parts.length === 1) return file;
  return parts
    .map((part) =>
      /^(?:[2-9a-hjkmnp-tv-z]{8}|[2-9a-hjkmnp-tv-z]{16}|[0-9a-f]{16,}|\d{5,})$/.test(part) ? "*" : part,
    )
    .join(".");
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
    // Whoever waits for a lock tries it again and again: a name that is taken changes nothing.
    const isVain = name === "linkSync" && fs.lstatSync(args[1], { throwIfNoEntry: false }) !== undefined;
    if (isOurs(args[0]) && !isVain) step(name, args[0]);
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
  if (isOurs(args[0]) && isWriting) open.set(file, args[0]);
  return file;
};
for (const name of ["writeSync", "fchmodSync", "closeSync"]) {
  const original = patched[name];
  patched[name] = (/** @type {any} */ file, /** @type {any[]} */ ...args) => {
    const path = open.get(file);
    if (name === "closeSync") open.delete(file);
    // A close that fails has closed all the same.
    if (path !== undefined && !(name === "closeSync" && fault !== "SIGKILL")) step(name, path);
    return original(file, ...args);
  };
}
for (const name of ["fdatasync", "fsync"]) {
  const original = patched[name];
  patched[name] = (/** @type {any} */ file, /** @type {(error: unknown) => void} */ done) => {
    const path = open.get(file);
    if (path !== undefined) {
      try {
        step(name, path);
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
const { WISP_TEST_HELD_MS: heldMs } = process.env;
if (heldMs !== undefined) {
  const { setTimeout } = globalThis;
  /** As long as a timer can be: longer than any test. */
  const neverMs = 2_147_483_647;
  Object.assign(globalThis, {
    setTimeout: (/** @type {() => void} */ run, /** @type {number} */ ms, /** @type {any[]} */ ...args) =>
      // @ts-expect-error: of several signatures the compiler takes one without more arguments.
      setTimeout(run, String(ms) === heldMs ? neverMs : ms, ...args),
  });
}

process.on("exit", () => {
  if (isReporting) fs.writeFileSync(process.env.WISP_TEST_REPORT ?? "", JSON.stringify(steps));
});
