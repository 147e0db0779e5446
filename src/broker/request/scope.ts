import * as z from "zod/mini";

/** How far a yes reaches. Wider than `once` remembers a rule. Ordered from narrow to wide. */
export const scopes = ["once", "session", "project", "always"] as const;

export const scopeSchema = z.enum(scopes);

export type Scope = (typeof scopes)[number];
