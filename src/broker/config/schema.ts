/**
 * What `config.json` may hold. Invariant: what is not listed is refused. A key that is dropped in silence might have
 * been the one that was to make asking stricter.
 */
import * as z from "zod";
import { levels } from "../request/request.js";
import { type ApprovalSettings, defaultSettings, type Settings } from "./settings.js";

const longestWaitSeconds = 86_400;
const longestUnseenMs = 10_000;
const longestMemorySeconds = 3_600;

/** Keys that documentation of later versions names. Whoever sets one relies on it, so it is not passed over. */
export const notBuilt: ReadonlySet<string> = new Set([
  "approval.bannerDelaySeconds",
  "approval.holdSeconds",
  "approval.lateSeconds",
  "approval.persistDays",
  "approval.threshold",
  "approval.ttlSeconds",
  "approval.clients.NAME.holdSeconds",
  "audit",
  "facts",
  "gate",
  "notify",
  "questions",
]);

/** Made when a file is there to be read: a server that never asks does not pay for it. */
export function configSchema(): z.ZodType<Settings> {
  const shapes = configShapes();
  const require = z.strictObject(shapes.require).prefault({});
  const clients = z.record(z.string(), z.strictObject(shapes.client)).default({});
  const approval = z.strictObject({ ...shapes.approval, require, clients }).superRefine(refuseCrossPairs);
  return z.strictObject({ approval: approval.prefault({}) });
}

/** The keys at each place of the file, as dotted paths; `NAME` stands for any name. */
export function configKeys(): readonly string[] {
  const { approval, require, client } = configShapes();
  return [
    "approval",
    ...below("approval", approval),
    "approval.require",
    ...below("approval.require", require),
    "approval.clients",
    ...below("approval.clients.NAME", client),
  ];
}

function configShapes() {
  const { outOfBand, timeoutSeconds, unseenAnswerMs, declineMemorySeconds, ancestry } =
    defaultSettings.approval;
  return {
    approval: {
      outOfBand: z.boolean().default(outOfBand),
      timeoutSeconds: z.int().min(0).max(longestWaitSeconds).default(timeoutSeconds),
      unseenAnswerMs: z.int().min(0).max(longestUnseenMs).default(unseenAnswerMs),
      declineMemorySeconds: z.int().min(0).max(longestMemorySeconds).default(declineMemorySeconds),
      ancestry: z.enum(["known", "always", "never"]).default(ancestry),
    },
    require: {
      low: assurance("low"),
      moderate: assurance("moderate"),
      high: assurance("high"),
      dangerous: assurance("dangerous"),
    },
    client: {
      unseenDecline: z.enum(["cancel", "decline"]).optional(),
      dialog: z.boolean().optional(),
      shell: z.boolean().optional(),
    },
  };
}

function assurance(level: (typeof levels)[number]) {
  const error = ({ input }: { readonly input?: unknown }): string | undefined =>
    input === "signed" ? '"signed" is not built yet' : undefined;
  return z.enum(["dialog", "terminal"], { error }).default(defaultSettings.approval.require[level]);
}

/** Two keys that together leave no way of answering are a mistake, and would look like one only when it matters. */
function refuseCrossPairs(settings: ApprovalSettings, check: z.RefinementCtx<ApprovalSettings>): void {
  const { outOfBand, timeoutSeconds, unseenAnswerMs } = settings;
  const strict = levels.filter((level) => settings.require[level] === "terminal");
  for (const level of outOfBand ? [] : strict) {
    const message = '"terminal" leaves no way to answer while approval.outOfBand is false';
    check.addIssue({ code: "custom", path: ["require", level], message });
  }
  if (timeoutSeconds !== 0 && unseenAnswerMs >= timeoutSeconds * 1_000) {
    const message = "must be shorter than approval.timeoutSeconds";
    check.addIssue({ code: "custom", path: ["unseenAnswerMs"], message });
  }
}

function below(path: string, shape: object): readonly string[] {
  return Object.keys(shape).map((key) => `${path}.${key}`);
}
