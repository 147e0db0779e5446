/** The keys of `config.json`, and what counts where the file says nothing or cannot be read. */
import type { Level } from "../request/request.js";
import type { UnseenDecline } from "./known-clients.js";

/** Everything that can be configured today. */
export interface Settings {
  readonly approval: ApprovalSettings;
}

/** How a person is asked. */
export interface ApprovalSettings {
  /** May requests be filed, for every face to answer? Otherwise the client's dialog alone asks. */
  readonly outOfBand: boolean;
  /** How long a person has; 0 is for ever. */
  readonly timeoutSeconds: number;
  /** A dialog's answer that comes sooner is taken for one that nobody saw. */
  readonly unseenAnswerMs: number;
  /** For how long a no answers the same call again. */
  readonly declineMemorySeconds: number;
  /** Within which clients a terminal proves nothing: those known to give their agent a shell, all, or none. */
  readonly ancestry: "known" | "always" | "never";
  /** What a yes must be at least; `terminal` rules the client's dialog out. */
  readonly require: Readonly<Record<Level, "dialog" | "terminal">>;
  /** What the person knows of a client, by the name that it gives itself. */
  readonly clients: Readonly<Record<string, ClientSettings>>;
}

/** Each overrides what is known of the client. */
export interface ClientSettings {
  readonly unseenDecline?: UnseenDecline | undefined;
  readonly dialog?: boolean | undefined;
  readonly shell?: boolean | undefined;
}

/** What counts where there is no file. */
export const defaultSettings: Settings = {
  approval: {
    outOfBand: true,
    timeoutSeconds: 600,
    unseenAnswerMs: 400,
    declineMemorySeconds: 60,
    ancestry: "known",
    require: { low: "dialog", moderate: "dialog", high: "dialog", dangerous: "dialog" },
    clients: {},
  },
};

/** Where a file cannot be read: no dialog counts at any level, and no terminal that was opened from within a client. */
export const strictestSettings: Settings = {
  approval: {
    ...defaultSettings.approval,
    ancestry: "always",
    require: { low: "terminal", moderate: "terminal", high: "terminal", dangerous: "terminal" },
  },
};
