/** `config.json` in every state in which it must not be used, and ways to put one into a home. */
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readConfig } from "../../src/broker/config/load.js";
import { type AcceptedValues, acceptedValuesOf, inForce } from "../../src/broker/config/sealed-keys.js";
import { rootSecretOf } from "../../src/broker/identity/root-secret.js";
import { sealOf } from "../../src/broker/request/seal.js";
import { systemClock } from "../../src/broker/system/clock.js";

/** Writes `content` as the private file that a home takes; an object as JSON. */
export function writeConfig(home: string, content: unknown): string {
  const path = join(home, "config.json");
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  return path;
}

/** The same, and has all of it accepted; without looser keys and a copy there is nothing to accept, and none is made. */
export function writeAcceptedConfig(home: string, content: unknown): string {
  const path = writeConfig(home, content);
  const { settings, fault } = readConfig(home);
  if (fault !== null) return path;
  const isSealed = existsSync(join(home, "keys", "sealed", "config.json"));
  if (isSealed || inForce(settings, {}).waiting.length > 0) sealConfig(home, acceptedValuesOf(settings));
  return path;
}

/** Puts `values` under the seal of `config.json`, as a person's `wisp accept` leaves it. */
export function sealConfig(home: string, values: AcceptedValues | string): void {
  const label = "wisp/sealed/v1";
  const directory = join(home, "keys", "sealed");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const root = join(home, "keys", "root");
  if (!existsSync(root)) writeFileSync(root, systemClock.randomBytes(32), { mode: 0o600 });
  const key = rootSecretOf({ path: home, ensureHome: () => home, clock: systemClock }).existingKey(label);
  if (key === null) throw new Error("There is no secret.");
  const sealed = { v: 1, name: "config.json", acceptedAt: 1, value: JSON.stringify(values) };
  const file = { ...sealed, mac: sealOf(label, sealed, key) };
  writeFileSync(join(directory, "config.json"), JSON.stringify(file), { mode: 0o600 });
}

/** Puts the broken file there, with what the refusal must say of it. */
export interface BrokenConfig {
  readonly what: string;
  readonly plant: (home: string) => void;
  readonly says: string;
}

const text = (what: string, content: unknown, says: string): BrokenConfig => ({
  what,
  plant: (home) => void writeConfig(home, content),
  says,
});
const approval = (what: string, settings: unknown, says: string): BrokenConfig =>
  text(what, { approval: settings }, says);

/** Each of these is refused whole. */
export const brokenConfigs: readonly BrokenConfig[] = [
  {
    what: "a link to a good file",
    plant(home) {
      const path = writeConfig(home, "{}");
      const target = join(home, "elsewhere.json");
      writeFileSync(target, "{}", { mode: 0o600 });
      rmSync(path);
      symlinkSync(target, path);
    },
    says: "symbolic link",
  },
  {
    what: "open to its group",
    plant: (home) => chmodSync(writeConfig(home, "{}"), 0o640),
    says: "open to others",
  },
  {
    what: "a directory",
    plant(home) {
      const path = writeConfig(home, "{}");
      rmSync(path);
      mkdirSync(path, { mode: 0o700 });
    },
    says: "not a regular file",
  },
  text("half", '{"approval": {"timeoutSe', "not JSON"),
  text("empty", "", "not JSON"),
  text("huge", `{"approval": {"x": "${"y".repeat(64 * 1024)}"}}`, "too large"),
  text("of a key twice", '{"approval": {}, "approval": {}}', "duplicate key"),
  text("of a forbidden key", '{"approval": {"clients": {"__proto__": {"shell": false}}}}', "forbidden key"),
  text("a list", [], "must hold an object"),
  text("a text", '"approval"', "must hold an object"),
  text("null", "null", "must hold an object"),
  text("of an unknown section", { approvals: {} }, "approvals is no key; the nearest is approval"),
  text(
    "of a key in the wrong place",
    { timeoutSeconds: 5 },
    "timeoutSeconds is no key; the nearest is approval.timeoutSeconds",
  ),
  text("of a key that is not built", { gate: { choices: [] } }, "gate.choices is not built yet"),
  text("of a mistyped key of the gate", { gate: { mode: "ask" } }, "gate.mode is no key"),
  text("of trust by a word", { gate: { trustAnnotations: "yes" } }, "gate.trustAnnotations: "),
  text("of no asks at all", { gate: { asksPerMinute: 0 } }, "gate.asksPerMinute: "),
  text("of more asks than anybody answers", { gate: { asksPerMinute: 601 } }, "gate.asksPerMinute: "),
  text("of no calls at a time", { gate: { maxConcurrentWrites: 0 } }, "gate.maxConcurrentWrites: "),
  text("of more calls at a time", { gate: { maxConcurrentWrites: 257 } }, "gate.maxConcurrentWrites: "),
  text("of messages too short for a file", { gate: { maxFrameBytes: 65_535 } }, "gate.maxFrameBytes: "),
  text("of messages beyond memory", { gate: { maxFrameBytes: 268_435_457 } }, "gate.maxFrameBytes: "),
  text("of a mistyped key of banners", { notify: { enable: false } }, "the nearest is notify.enabled"),
  text("of a text for a program", { notify: { command: "tell me" } }, "notify.command: "),
  text("of a program without words", { notify: { command: [] } }, "notify.command: "),
  text("of a program in the working directory", { notify: { command: ["./tell"] } }, "notify.command.0: "),
  text("of a program without a name", { notify: { command: ["", "me"] } }, "notify.command.0: "),
  text("of a word with a NUL", { notify: { command: ["tell", "m\0e"] } }, "NUL character"),
  text("of a word beyond any", { notify: { command: ["tell", "m".repeat(4_097)] } }, "notify.command.1: "),
  text(
    "of a mistyped key of questions",
    { questions: { keepSecond: 5 } },
    "questions.keepSecond is no key; the nearest is questions.keepSeconds",
  ),
  text("of a mistyped key of facts", { facts: { keepDay: 5 } }, "the nearest is facts.keepDays"),
  text("of a question's long hold", { questions: { holdSeconds: 86_401 } }, "questions.holdSeconds: "),
  text("of a question's negative hold", { questions: { holdSeconds: -1 } }, "questions.holdSeconds: "),
  text("of a question's hold by a word", { questions: { holdSeconds: "auto" } }, "questions.holdSeconds: "),
  text("of an answer kept beyond a day", { questions: { keepSeconds: 86_401 } }, "questions.keepSeconds: "),
  text("of an answer kept for -1 s", { questions: { keepSeconds: -1 } }, "questions.keepSeconds: "),
  text("of half a second's keeping", { questions: { keepSeconds: 0.5 } }, "questions.keepSeconds: "),
  text("of a fact that waits no day", { facts: { keepDays: 0 } }, "facts.keepDays: "),
  text("of a fact that waits beyond a month", { facts: { keepDays: 31 } }, "facts.keepDays: "),
  text("of half a day for facts", { facts: { keepDays: 1.5 } }, "facts.keepDays: "),
  text("of facts that are no object", { facts: 7 }, "facts: "),
  text("of a log that is put aside at once", { audit: { rotateBytes: 1_048_575 } }, "audit.rotateBytes: "),
  text("of a log beyond a GiB", { audit: { rotateBytes: 1_073_741_825 } }, "audit.rotateBytes: "),
  text("of more logs than anybody keeps", { audit: { keep: 1_001 } }, "audit.keep: "),
  text("of a mistyped key of the log", { audit: { rotate: 1 } }, "audit.rotate is no key"),
  text("of more banners than anybody reads", { notify: { perMinute: 61 } }, "notify.perMinute: "),
  approval(
    "of a mistyped key",
    { timeoutSecond: 5 },
    "approval.timeoutSecond is no key; the nearest is approval.timeoutSeconds",
  ),
  approval("of a key like no other", { zzz: 5 }, "approval.zzz is no key"),
  approval("of a rule that is remembered no day", { persistDays: 0 }, "approval.persistDays: "),
  approval("of a rule that outlives a year", { persistDays: 366 }, "approval.persistDays: "),
  approval("of an unknown threshold", { threshold: "never" }, "approval.threshold: "),
  approval(
    "of a client's hold by another word",
    { clients: { x: { holdSeconds: "never" } } },
    'approval.clients.x.holdSeconds: must be "auto" or whole seconds from 0 to 86400',
  ),
  approval(
    "of a client's hold beyond a day",
    { clients: { x: { holdSeconds: 86_401 } } },
    "approval.clients.x.holdSeconds: ",
  ),
  approval(
    "of a client's mistyped key",
    { clients: { "a b\u202e": { shel: true } } },
    'approval.clients."a b\\u{202e}".shel is no key; the nearest is approval.clients.NAME.shell',
  ),
  approval("of a number as text", { timeoutSeconds: "600" }, "approval.timeoutSeconds: "),
  approval("of half a second", { timeoutSeconds: 0.5 }, "approval.timeoutSeconds: "),
  approval("of a negative wait", { timeoutSeconds: -1 }, "approval.timeoutSeconds: "),
  approval("of a wait beyond a day", { timeoutSeconds: 86_401 }, "approval.timeoutSeconds: "),
  approval("of null for a key", { outOfBand: null }, "approval.outOfBand: "),
  approval("of a text for a switch", { outOfBand: "false" }, "approval.outOfBand: "),
  approval("of an unseen time beyond 10 s", { unseenAnswerMs: 10_001 }, "approval.unseenAnswerMs: "),
  approval("of a memory beyond an hour", { declineMemorySeconds: 3_601 }, "approval.declineMemorySeconds: "),
  approval("of a delay beyond an hour", { bannerDelaySeconds: 3_601 }, "approval.bannerDelaySeconds: "),
  approval("of a negative delay", { bannerDelaySeconds: -1 }, "approval.bannerDelaySeconds: "),
  approval(
    "of a delay that is as long as the wait",
    { timeoutSeconds: 30, bannerDelaySeconds: 30 },
    "approval.bannerDelaySeconds: must be shorter than approval.timeoutSeconds",
  ),
  approval(
    "of a hold by another word",
    { holdSeconds: "never" },
    'approval.holdSeconds: must be "auto" or whole seconds from 0 to 86400',
  ),
  approval("of a hold beyond a day", { holdSeconds: 86_401 }, "approval.holdSeconds: "),
  approval("of half a second's hold", { holdSeconds: 0.5 }, "approval.holdSeconds: "),
  approval("of a yes that is gone at once", { ttlSeconds: 0 }, "approval.ttlSeconds: "),
  approval("of a yes that is kept beyond a day", { ttlSeconds: 86_401 }, "approval.ttlSeconds: "),
  approval("of a request that is kept for over a week", { lateSeconds: 604_801 }, "approval.lateSeconds: "),
  approval("of an unknown ancestry", { ancestry: "off" }, "approval.ancestry: "),
  approval("of an unknown level", { require: { deadly: "terminal" } }, "approval.require.deadly is no key"),
  approval("of a weaker assurance", { require: { high: "file" } }, "approval.require.high: "),
  approval("of an assurance to come", { require: { high: "signed" } }, '"signed" is not built yet'),
  approval("of a client that is no object", { clients: { x: false } }, "approval.clients.x: "),
  approval(
    "of no terminal where one is required",
    { outOfBand: false, require: { dangerous: "terminal" } },
    "approval.require.dangerous: ",
  ),
  approval(
    "of a time in which nobody could answer",
    { timeoutSeconds: 1, unseenAnswerMs: 1_000 },
    "approval.unseenAnswerMs: must be shorter than approval.timeoutSeconds",
  ),
];
