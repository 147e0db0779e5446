/**
 * Arguments of a tool: judged by us and not by the SDK, so that a wrong one is refused with the same fields as
 * every other refusal, naming the path and the limit.
 */
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import * as z from "zod";
import { shownText, textObjection, WispError } from "../../broker/index.js";

/** `schema` as `tools/list` publishes it; the SDK hands the arguments through as they came. */
export function advertised(schema: z.ZodObject): StandardSchemaWithJSON<unknown, unknown> {
  const { jsonSchema } = schema["~standard"];
  return {
    "~standard": { version: 1, vendor: "wisp", validate: (value: unknown) => ({ value }), jsonSchema },
  };
}

/** The arguments, checked. Throws invalid_input naming each wrong path. */
export function parseInput<Schema extends z.ZodObject>(schema: Schema, given: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, mostIssues).map(issueText);
  throw new WispError("invalid_input", issues.join("; "));
}

/** Enough for a model to correct everything at once, without a wall of text. */
const mostIssues = 5;

/** A text as a tool takes it: not more than `most` characters, none of which could not be filed or shown. */
export function textInput(most: number): z.ZodString {
  return z
    .string()
    .refine((text) => [...text].length <= most, `at most ${most} characters`)
    .superRefine(refuseUnfilable)
    .meta({ maxLength: most });
}

/** The same for a text without which there is nothing to show. */
export function filledInput(most: number): z.ZodString {
  return textInput(most).refine((text) => text.trim() !== "", "must not be blank");
}

/** A text limited by its size in UTF-8. */
export function sizedInput(mostBytes: number): z.ZodString {
  return z
    .string()
    .refine((text) => Buffer.byteLength(text, "utf8") <= mostBytes, `at most ${mostBytes} bytes`)
    .superRefine(refuseUnfilable);
}

/** A program would see another text than the one shown: C strings end at NUL, and lone surrogates have no bytes. */
function refuseUnfilable(text: string, check: z.RefinementCtx<string>): void {
  const objection = textObjection(text);
  if (objection !== null) check.addIssue({ code: "custom", message: `holds a ${objection}` });
}

function issueText(issue: z.core.$ZodIssue): string {
  const path = issue.path.reduce<string>(
    (whole, part) =>
      typeof part === "number" ? `${whole}[${part}]` : `${whole === "" ? "" : `${whole}.`}${String(part)}`,
    "",
  );
  const message =
    issue.code === "unrecognized_keys"
      ? `unknown argument ${issue.keys.slice(0, mostIssues).map(named).join(", ")}`
      : issue.message;
  return path === "" ? message : `${path}: ${message}`;
}

function named(key: string): string {
  return `"${shownText([...key].slice(0, longestKey).join(""))}"`;
}

const longestKey = 64;
