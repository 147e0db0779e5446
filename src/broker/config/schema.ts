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
const mostWords = 64;
const longestWord = 4_096;

/** Keys that documentation of later versions names. Whoever sets one relies on it, so it is not passed over. */
export const notBuilt: ReadonlySet<string> = new Set(["gate"]);

/** Made when a file is there to be read: a server that never asks does not pay for it. */
export function configSchema(): z.ZodType<Settings> {
  const shapes = configShapes();
  const require = z.strictObject(shapes.require).prefault({});
  const clients = z.record(z.string(), z.strictObject(shapes.client)).default({});
  const approval = z
    .strictObject({ ...shapes.approval, require, clients })
    .superRefine(refuseCrossPairs)
    .transform((settings) => ({ ...settings, bannerDelaySeconds: delayOf(settings) }));
  const notify = z.strictObject(shapes.notify).prefault({});
  const questions = z.strictObject(shapes.questions).prefault({});
  const facts = z.strictObject(shapes.facts).prefault({});
  const audit = z.strictObject(shapes.audit).prefault({});
  return z.strictObject({ approval: approval.prefault({}), notify, questions, facts, audit });
}

/** The keys at each place of the file, as dotted paths; `NAME` stands for any name. */
export function configKeys(): readonly string[] {
  const { approval, require, client, notify, questions, facts, audit } = configShapes();
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
  ];
}

function configShapes() {
  const { outOfBand, timeoutSeconds, unseenAnswerMs, declineMemorySeconds, ancestry } =
    defaultSettings.approval;
  const { holdSeconds, ttlSeconds, lateSeconds, persistDays, threshold } = defaultSettings.approval;
  const { rotateBytes, keep } = defaultSettings.audit;
  const { enabled, command, perMinute } = defaultSettings.notify;
  return {
    approval: {
      outOfBand: z.boolean().default(outOfBand),
      timeoutSeconds: z.int().min(0).max(longestWaitSeconds).default(timeoutSeconds),
      bannerDelaySeconds: z.int().min(0).max(longestBannerDelaySeconds).optional(),
      unseenAnswerMs: z.int().min(0).max(longestUnseenMs).default(unseenAnswerMs),
      declineMemorySeconds: z.int().min(0).max(longestMemorySeconds).default(declineMemorySeconds),
      holdSeconds: hold().default(holdSeconds),
      ttlSeconds: z.int().min(1).max(longestTtlSeconds).default(ttlSeconds),
      lateSeconds: z.int().min(0).max(longestLateSeconds).default(lateSeconds),
      persistDays: z.int().min(1).max(longestPersistDays).default(persistDays),
      threshold: z.enum(levels).default(threshold),
      ancestry: z.enum(["known", "always", "never"]).default(ancestry),
    },
    require: {
      low: assurance("low"),
      moderate: assurance("moderate"),
      high: assurance("high"),
      dangerous: assurance("dangerous"),
    },
    client: {
      holdSeconds: hold().optional(),
      unseenDecline: z.enum(["cancel", "decline"]).optional(),
      dialog: z.boolean().optional(),
      shell: z.boolean().optional(),
    },
    notify: {
      enabled: z.boolean().default(enabled),
      command: z
        .array(z.string().max(longestWord))
        .min(1)
        .max(mostWords)
        .superRefine(refuseRelative)
        .nullable()
        .default(() => command && [...command]),
      perMinute: z.int().min(0).max(mostPerMinute).default(perMinute),
    },
    questions: {
      holdSeconds: z.int().min(0).max(longestWaitSeconds).default(defaultSettings.questions.holdSeconds),
      keepSeconds: z.int().min(0).max(longestWaitSeconds).default(defaultSettings.questions.keepSeconds),
    },
    facts: { keepDays: z.int().min(1).max(longestKeepDays).default(defaultSettings.facts.keepDays) },
    audit: {
      rotateBytes: z.int().min(leastRotateBytes).max(mostAudit.rotateBytes).default(rotateBytes),
      keep: z.int().min(0).max(mostAudit.keep).default(keep),
    },
  };
}

/** Which file `./tell` is depends on where a server was started: in an agent's directory it is the agent's. */
function refuseRelative([program = ""]: readonly string[], check: z.RefinementCtx<string[]>): void {
  if (program !== "" && (isAbsolute(program) || !program.includes("/"))) return;
  const message = "must be an absolute path, or a name that is found in PATH";
  check.addIssue({ code: "custom", path: [0], message });
}

/** A union says of itself only that nothing in it fits. */
const notAHold = `must be "auto" or whole seconds from 0 to ${longestWaitSeconds}`;

function hold() {
  return z.union([z.literal("auto"), z.int().min(0).max(longestWaitSeconds)], { error: notAHold });
}

function assurance(level: (typeof levels)[number]) {
  const error = ({ input }: { readonly input?: unknown }): string | undefined =>
    input === "signed" ? '"signed" is not built yet' : undefined;
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
