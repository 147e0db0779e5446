/** The keys of `config.json`, and what counts where the file says nothing or cannot be read. */
import type { Level } from "../request/request.js";
import type { UnseenDecline } from "./known-clients.js";

/** Everything that can be configured today. */
export interface Settings {
  readonly approval: ApprovalSettings;
  readonly notify: NotifySettings;
  readonly questions: QuestionSettings;
  readonly facts: FactSettings;
  readonly audit: AuditSettings;
  readonly gate: GateSettings;
}

/** What a gate in front of another server does. */
export interface GateSettings {
  /** May a tool pass because its server says that it only reads, where no rule speaks of it? */
  readonly trustAnnotations: boolean;
  /** So many calls of one caller may ask a person in a minute. */
  readonly asksPerMinute: number;
  /** So many calls that were let through run at a time; others wait. */
  readonly maxConcurrentWrites: number;
  /** The longest message that is read, in either direction, in bytes. */
  readonly maxFrameBytes: number;
}

/** How the audit log is kept. */
export interface AuditSettings {
  /** A log of more bytes than this is put aside, and a new one goes on from it. */
  readonly rotateBytes: number;
  /** So many of those that were put aside are kept; the oldest go first. */
  readonly keep: number;
}

/** How questions to the person are asked. */
export interface QuestionSettings {
  /** For how long a call is held for an answer before it returns while its question waits on. */
  readonly holdSeconds: number;
  /** For how long an answer is kept for its caller that came while no call was there for it; 0: not at all. */
  readonly keepSeconds: number;
}

/** How facts to keep are asked about. */
export interface FactSettings {
  /** So many days such a request waits for a person. */
  readonly keepDays: number;
}

/** How a person is asked. */
export interface ApprovalSettings {
  /** May requests be filed, for every face to answer? Otherwise the client's dialog alone asks. */
  readonly outOfBand: boolean;
  /** How long a person has; 0 is for ever. */
  readonly timeoutSeconds: number;
  /** So long a dialog is left alone before a banner says that something waits; 0 announces at once. */
  readonly bannerDelaySeconds: number;
  /** A dialog's answer that comes sooner is taken for one that nobody saw. */
  readonly unseenAnswerMs: number;
  /** For how long a no answers the same call again. */
  readonly declineMemorySeconds: number;
  /** For how long a call is held before it returns while its request waits on; `auto`: as long as its client waits. */
  readonly holdSeconds: number | "auto";
  /** For how long a yes may be used that comes while no call waits for it. */
  readonly ttlSeconds: number;
  /** For how long a request may be answered that ended without an answer; 0: not at all. */
  readonly lateSeconds: number;
  /** For how many days a yes for the project or for always is remembered. */
  readonly persistDays: number;
  /** The level from which on a command without a rule asks. */
  readonly threshold: Level;
  /** Within which clients a terminal proves nothing: those known to give their agent a shell, all, or none. */
  readonly ancestry: "known" | "always" | "never";
  /** What a yes must be at least; `terminal` rules the client's dialog out. */
  readonly require: Readonly<Record<Level, "dialog" | "terminal">>;
  /** What the person knows of a client, by the name that it gives itself. */
  readonly clients: Clients;
}

/** By the name that a client gives itself. */
export type Clients = Readonly<Record<string, ClientSettings>>;

/** Each overrides what is known of the client. */
export interface ClientSettings {
  /** Before what counts for every client. */
  readonly holdSeconds?: ApprovalSettings["holdSeconds"] | undefined;
  readonly unseenDecline?: UnseenDecline | undefined;
  readonly dialog?: boolean | undefined;
  readonly shell?: boolean | undefined;
}

/** How a person is told. */
export interface NotifySettings {
  /** Are banners shown on this machine's desktop? */
  readonly enabled: boolean;
  /** The words of a program of the person's that carries each banner further; null for none. */
  readonly command: readonly string[] | null;
  /** So many banners of its own may an agent show in a minute; 0 none. */
  readonly perMinute: number;
}

/** What counts where there is no file. */
export const defaultSettings: Settings = {
  approval: {
    outOfBand: true,
    timeoutSeconds: 600,
    bannerDelaySeconds: 10,
    unseenAnswerMs: 400,
    declineMemorySeconds: 60,
    holdSeconds: "auto",
    ttlSeconds: 300,
    lateSeconds: 86_400,
    persistDays: 30,
    threshold: "low",
    ancestry: "known",
    require: { low: "dialog", moderate: "dialog", high: "dialog", dangerous: "dialog" },
    clients: {},
  },
  notify: { enabled: true, command: null, perMinute: 5 },
  questions: { holdSeconds: 60, keepSeconds: 600 },
  facts: { keepDays: 7 },
  audit: { rotateBytes: 16 * 1024 * 1024, keep: 20 },
  gate: {
    trustAnnotations: false,
    asksPerMinute: 60,
    maxConcurrentWrites: 16,
    maxFrameBytes: 10 * 1024 * 1024,
  },
};

/** The most of the log that can be kept. */
export const mostAudit: AuditSettings = { rotateBytes: 1024 * 1024 * 1024, keep: 1_000 };

/**
 * Where a file cannot be read, or nobody can say what was accepted: no dialog counts at any level, no terminal that
 * was opened from within a client, and nothing of the log is thrown away that any file would keep.
 */
export const strictestSettings: Settings = {
  ...defaultSettings,
  approval: {
    ...defaultSettings.approval,
    ancestry: "always",
    persistDays: 1,
    require: { low: "terminal", moderate: "terminal", high: "terminal", dangerous: "terminal" },
  },
  audit: mostAudit,
};
