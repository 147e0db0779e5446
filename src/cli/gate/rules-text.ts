/** `policy.json` with rules that let tools pass. All else stays as a person wrote it. */
import { memberOf, rawOf, withMember, withMemberBehind, withWordsFirst } from "./entry-text.js";
import { jsonSyntax } from "./json-text.js";

/** `text` is a file of rules that can be used; null where there is none. A rule that stands there is not added again. */
export function withAllowed(text: string | null, rules: readonly string[]): string {
  if (text === null) return `${JSON.stringify({ permissions: { allow: rules } }, null, 2)}\n`;
  const members = jsonSyntax.membersAt(text, ["permissions"]);
  const allow = memberOf(members, "allow");
  const last = members.at(-1);
  if (allow !== null) {
    const there = new Set(allow.items?.map(({ start, end }) => text.slice(start, end)));
    const words = rules.map((rule) => jsonSyntax.literal(rule)).filter((word) => !there.has(word));
    const raw = rawOf(text, allow);
    return words.length === 0 ? text : withMember(text, allow, "allow", withWordsFirst(raw, words));
  }
  // A file of rules has a list at least.
  if (last === undefined) return text;
  const raw = `[${rules.map((rule) => jsonSyntax.literal(rule)).join(", ")}]`;
  return withMemberBehind(text, last, jsonSyntax.key("allow"), raw, jsonSyntax);
}
