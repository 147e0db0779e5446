/**
 * What `config.json` may hold. Invariant: what is not listed is refused. A key that is dropped in silence might have
 * been the one that was to make asking stricter.
 */
import { isAbsolute } from "node:path";
import * as z from "zod";
import { levels } from "../request/request.js";
import { type ApprovalSettings, defaultSettings, mostAudit, type Settings } from "./settings.js";

const longestWaitSeconds = 86_400;
const longestUnseenMs = 10_000;
const longestMemorySeconds = 3_600;
/** A yes that waits for its call longer than this belongs to another day's work. */
const longestTtlSeconds = 86_400;
const longestLateSeconds = 7 * 86_400;
const longestBannerDelaySeconds = 3_600;
/** One a second is no telling any more. */
const mostPerMinute = 60;
/** What nobody looked at in a month is not worth keeping. */
const longestKeepDays = 30;
const longestPersistDays = 365;
/** Below this a log would be put aside every few hours. */
const leastRotateBytes = 1024 * 1024;
/** Ten a second are more than anybody answers. */
const mostAsksPerMinute = 600;
const mostConcurrentWrites = 256;
/** A call with a small file in it must pass, and none may fill the memory. */
const leastFrameBytes = 64 * 1024;
const mostFrameBytes = 256 * 1024 * 1024;
const mostWords = 64;
const longestWord = 4_096;

/** Keys that documentation of later versions names. Whoever sets one relies on it, so it is not passed over. */
export const notBuilt: ReadonlySet<string> = new Set([
  "gate.choices",
  "gate.choiceTimeoutMs",
  "gate.maxResponseBytes",
  "gate.idempotencyTtlSeconds",
]);

let schema: z.ZodType<Settings> | null = null;

/** Made when a file is first there to be read, and once: a server that never asks does not pay for it. */
export function configSchema(): z.ZodType<Settings> {
  schema ??= madeSchema();
  return schema;
}

/** The keys at each place of the file, as dotted paths; `NAME` stands for any name. */
export function configKeys(): readonly string[] {
  const { approval, require, client, notify, questions, facts, audit, gate } = configShapes();
  return [
    "approval",
    ...below("approval", approval),
    "approval.require",
    ...below("approval.require", require),
    "approval.clients",
    ...below("approval.clients.NAME", client),
    "notify",
    ...below("notify", notify),
    "questions",
    ...below("questions", questions),
    "facts",
    ...below("facts", facts),
    "audit",
    ...below("audit", audit),
    "gate",
    ...below("gate", gate),
  ];
}

function madeSchema(): z.ZodType<Settings> {
  const shapes = configShapes();
  const require = z.strictObject(shapes.require, anObject).prefault({});
  const clients = z.record(z.string(), z.strictObject(shapes.client, anObject), anObject).default({});
  const approval = z
    .strictObject({ ...shapes.approval, require, clients }, anObject)
    .superRefine(refuseCrossPairs)
    .transform((settings) => ({ ...settings, bannerDelaySeconds: delayOf(settings) }));
  const notify = z.strictObject(shapes.notify, anObject).prefault({});
  const questions = z.strictObject(shapes.questions, anObject).prefault({});
  const facts = z.strictObject(shapes.facts, anObject).prefault({});
  const audit = z.strictObject(shapes.audit, anObject).prefault({});
  const gate = z.strictObject(shapes.gate, anObject).prefault({});
  const all = { approval: approval.prefault({}), notify, questions, facts, audit, gate };
  return z.strictObject(all, anObject);
}

function configShapes() {
  const { outOfBand, timeoutSeconds, unseenAnswerMs, declineMemorySeconds, ancestry } =
    defaultSettings.approval;
  const { holdSeconds, ttlSeconds, lateSeconds, persistDays, threshold } = defaultSettings.approval;
  const { rotateBytes, keep } = defaultSettings.audit;
  const { enabled, command, perMinute } = defaultSettings.notify;
  const { trustAnnotations, asksPerMinute, maxConcurrentWrites, maxFrameBytes } = defaultSettings.gate;
  return {
    approval: {
      outOfBand: flag().default(outOfBand),
      timeoutSeconds: whole(0, longestWaitSeconds).default(timeoutSeconds),
      bannerDelaySeconds: whole(0, longestBannerDelaySeconds).optional(),
      unseenAnswerMs: whole(0, longestUnseenMs).default(unseenAnswerMs),
      declineMemorySeconds: whole(0, longestMemorySeconds).default(declineMemorySeconds),
      holdSeconds: hold().default(holdSeconds),
      ttlSeconds: whole(1, longestTtlSeconds).default(ttlSeconds),
      lateSeconds: whole(0, longestLateSeconds).default(lateSeconds),
      persistDays: whole(1, longestPersistDays).default(persistDays),
      threshold: choice(levels).default(threshold),
      ancestry: choice(["known", "always", "never"]).default(ancestry),
    },
    require: {
      low: assurance("low"),
      moderate: assurance("moderate"),
      high: assurance("high"),
      dangerous: assurance("dangerous"),
    },
    client: {
      holdSeconds: hold().optional(),
      unseenDecline: choice(["cancel", "decline"]).optional(),
      dialog: flag().optional(),
      shell: flag().optional(),
    },
    notify: {
      enabled: flag().default(enabled),
      command: z
        .array(z.string(aWord).max(longestWord, aWord), someWords)
        .min(1, someWords)
        .max(mostWords, someWords)
        .superRefine(refuseRelative)
        .nullable()
        .default(() => command && [...command]),
      perMinute: whole(0, mostPerMinute).default(perMinute),
    },
    questions: {
      holdSeconds: whole(0, longestWaitSeconds).default(defaultSettings.questions.holdSeconds),
      keepSeconds: whole(0, longestWaitSeconds).default(defaultSettings.questions.keepSeconds),
    },
    facts: { keepDays: whole(1, longestKeepDays).default(defaultSettings.facts.keepDays) },
    audit: {
      rotateBytes: whole(leastRotateBytes, mostAudit.rotateBytes).default(rotateBytes),
      keep: whole(0, mostAudit.keep).default(keep),
    },
    gate: {
      trustAnnotations: flag().default(trustAnnotations),
      asksPerMinute: whole(1, mostAsksPerMinute).default(asksPerMinute),
      maxConcurrentWrites: whole(1, mostConcurrentWrites).default(maxConcurrentWrites),
      maxFrameBytes: whole(leastFrameBytes, mostFrameBytes).default(maxFrameBytes),
    },
  };
}

/** Which file `./tell` is depends on where a server was started: in an agent's directory it is the agent's. */
function refuseRelative([program]: readonly string[], check: z.RefinementCtx<string[]>): void {
  // That there are no words is told as such.
  if (program === undefined) return;
  if (program !== "" && (isAbsolute(program) || !program.includes("/"))) return;
  const message = "must be an absolute path, or a name that is found in PATH";
  check.addIssue({ code: "custom", path: [0], message });
}

/** Whoever corrects a file reads what it takes, not what the validator calls what stands there. */
function whole(least: number, most: number) {
  const words = { error: `must be a whole number from ${least} to ${most}` };
  return z.int(words).min(least, words).max(most, words);
}

function flag() {
  return z.boolean({ error: "must be true or false" });
}

function choice<const Names extends readonly [string, string, ...string[]]>(names: Names) {
  return z.enum(names, { error: `must be ${oneOf(names)}` });
}

/** `"known", "always" or "never"` */
function oneOf(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name));
  return `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
}

const anObject = { error: "must hold an object" };
const aWord = { error: `must be a text of at most ${longestWord} characters` };
const someWords = { error: `must be a list of 1 to ${mostWords} words, or null` };

/** A union says of itself only that nothing in it fits. */
const notAHold = `must be "auto" or whole seconds from 0 to ${longestWaitSeconds}`;

function hold() {
  return z.union([z.literal("auto"), z.int().min(0).max(longestWaitSeconds)], { error: notAHold });
}

function assurance(level: (typeof levels)[number]) {
  const error = ({ input }: { readonly input?: unknown }): string =>
    input === "signed" ? '"signed" is not built yet' : `must be ${oneOf(["dialog", "terminal"])}`;
  return z.enum(["dialog", "terminal"], { error }).default(defaultSettings.approval.require[level]);
}

/** Two keys that together leave no way of answering are a mistake, and would look like one only when it matters. */
function refuseCrossPairs(settings: Written, check: z.RefinementCtx<Written>): void {
  const { outOfBand, timeoutSeconds, unseenAnswerMs, bannerDelaySeconds = 0 } = settings;
  const strict = levels.filter((level) => settings.require[level] === "terminal");
  for (const level of outOfBand ? [] : strict) {
    const message = '"terminal" leaves no way to answer while approval.outOfBand is false';
    check.addIssue({ code: "custom", path: ["require", level], message });
  }
  if (timeoutSeconds !== 0 && unseenAnswerMs >= timeoutSeconds * 1_000) {
    const message = "must be shorter than approval.timeoutSeconds";
    check.addIssue({ code: "custom", path: ["unseenAnswerMs"], message });
  }
  if (timeoutSeconds !== 0 && bannerDelaySeconds >= timeoutSeconds) {
    const message = "must be shorter than approval.timeoutSeconds";
    check.addIssue({ code: "custom", path: ["bannerDelaySeconds"], message });
  }
}

/** Before what was left out is worked out from the rest. */
type Written = Omit<ApprovalSettings, "bannerDelaySeconds"> & {
  readonly bannerDelaySeconds?: number | undefined;
};

/** As it is written; else the default, or half of a wait that is too short for it: nobody wrote that to be refused. */
function delayOf({ bannerDelaySeconds, timeoutSeconds }: Written): number {
  const usual = defaultSettings.approval.bannerDelaySeconds;
  const half = timeoutSeconds === 0 ? usual : Math.floor(timeoutSeconds / 2);
  return bannerDelaySeconds ?? Math.min(usual, half);
}

function below(path: string, shape: object): readonly string[] {
  return Object.keys(shape).map((key) => `${path}.${key}`);
}
