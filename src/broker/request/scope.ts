import * as s from "./shape.js";

/** How far a yes reaches. Wider than `once` remembers a rule. Ordered from narrow to wide. */
export const scopes = ["once", "session", "project", "always"] as const;

/** A scope as it stands in requests, answers and receipts. */
export const scopeSchema = s.oneOf(scopes);

/** For how long one yes allows what it was given for. */
export type Scope = (typeof scopes)[number];
