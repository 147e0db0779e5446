/** What a wider yes would remember, in the words in which a person is asked for it twice. */
import { type ApprovalRequest, type Scope, shownText } from "../../broker/index.js";

/** The exact rule, safe to print; null where there is none to remember. */
export function ruleText(
  { subject }: ApprovalRequest,
  scope: Extract<Scope, "project" | "always">,
): string | null {
  const where = scope === "project" ? "in this project" : "everywhere";
  switch (subject.type) {
    case "command": {
      const { pattern, directory } = subject;
      if (pattern === null) return null;
      const place = scope === "project" ? ` (${shownText(directory)})` : "";
      return `every command like: ${shownText(pattern)} — ${where}${place}`;
    }
    case "tool":
      return `every call of ${shownText(subject.tool)} of ${shownText(subject.server)} — ${where}`;
    case "permission":
      return `every use of ${shownText(subject.tool)} — ${where}`;
    default:
      return subject satisfies never;
  }
}

/** The same for a fact that would be kept everywhere. */
export const everywhereText = "keeps it everywhere: every agent here is told it, in every directory.";
