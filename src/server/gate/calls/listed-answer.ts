/** Answers that list files, before a client sees them. */
import { judgingOf } from "../../../broker/index.js";
import type { Gate, OpenCall, Reply } from "./gate-parts.js";
import { withoutHidden } from "./listing.js";

/** `line` less what a call of the same tool for that path is refused for; an error of ours where it cannot be told what it lists. */
export async function listedAnswer(
  line: Buffer,
  { call, asking }: Pick<OpenCall, "call" | "asking">,
  { policy, clock }: Pick<Gate, "policy" | "clock">,
): Promise<Exclude<Reply, null>> {
  const spec = policy.listingOf(call);
  if (spec === null) return line;
  const rules = await asking.policy();
  const settings = judgingOf(asking.config);
  const hiding = () => {
    const rule = policy.atOnce(rules, settings);
    return (path: string): boolean =>
      rule({ ...call, arguments: { ...call.arguments, [spec.argument]: path } }).verdict.name === "deny";
  };
  const { form, directory } = spec;
  return (await withoutHidden(line, { form, directory, clock, hiding })) ?? unreadable;
}

const unreadable: Exclude<Reply, null> = {
  error: {
    code: -32_000,
    message:
      "The server's answer does not list files in the form that is known of it, so nobody can tell what of it your rules refuse; it is not passed on. The call has run.",
  },
};
