/**
 * A call of a tool as the client's dialog shows it: the call, whose tool it is, what a yes is bound to, and what would
 * become of files. Invariant: all of it counts for what a dialog can show, so what is not on it cannot be approved there.
 */
import { type ApprovalRequest, shown } from "../../../broker/index.js";
import { type Action, approvalDialogsOf, commandAction, whileBound } from "../../mcp/form.js";
import { fitted } from "../../mcp/whole.js";
import { changeLines, sideLines } from "./change-lines.js";
import type { ToolSubject } from "./tool-subject.js";

/** Of the calls that a gate, or an author's server, asks about. */
export const toolDialogs = approvalDialogsOf(toolAction);

/** What the form says of `subject`. */
export function toolAction(subject: ApprovalRequest["subject"]): Action {
  if (subject.type !== "tool") return commandAction(subject);
  const call = `${subject.tool} ${JSON.stringify(subject.arguments)}`;
  const lines = [
    call,
    ...(subject.meta ? [`_meta ${JSON.stringify(subject.meta)}`] : []),
    `server ${subject.server}, started as: ${subject.serverIdentity}`,
    ...stateLines(subject),
    ...definitionLines(subject),
    ...previewLines(subject),
  ].map(shown);
  const texts = lines.map(({ text }) => text);
  const escapes = lines.reduce((sum, line) => sum + line.escapes, 0);
  const { lines: fit, isWhole } = fitted(texts, escapes);
  return {
    ...{ lines: fit, isWhole: isWhole && (subject.preview ?? []).every(isShown) },
    place: `of the server ${shown(subject.server).text}`,
    repeated: texts[0] ?? "",
    session: `exactly this call,${whileBound(subject)}`,
  };
}

function stateLines({ state }: ToolSubject): readonly string[] {
  if (state === "none") return ["state not bound: a yes is for the arguments alone"];
  return state.bound.map(({ target }) => `state bound: ${target}`);
}

/** Of the server, or of what it says of the tool: an earlier yes was to the first. */
function definitionLines({ definition }: ToolSubject): readonly string[] {
  if (definition === null) return [];
  return ["what was let through before, and what is there now:", ...changeLines(definition)];
}

type FilePreview = NonNullable<ToolSubject["preview"]>[number];

/** A hash shows nobody what would be lost, and what could not be looked at has not even that. */
function isShown({ kind, before, after }: FilePreview): boolean {
  return before?.text !== null && after?.text !== null && (kind === "create" || before !== null);
}

function previewLines({ preview, arguments: given }: ToolSubject): readonly string[] {
  const written = new Set(Object.values(given));
  return (preview ?? []).flatMap(({ target, kind, before, after }) => {
    const head = `${kind} ${target}`;
    if (before !== null && after !== null) {
      if (before.text !== null && after.text !== null)
        return [head, ...changeLines({ before: before.text, after: after.text })];
      return [head, ...sideLines("-", before), ...sideLines("+", after)];
    }
    if (before !== null) return [head, ...sideLines("-", before)];
    // What stands in the call whole is not said twice.
    if (after === null || (after.text !== null && written.has(after.text))) return [head];
    return [head, ...sideLines("+", after)];
  });
}
