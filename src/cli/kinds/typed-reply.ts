/** What came from a terminal as the answer to a question: whole, as a person typed it, or none. */
import { type QuestionRequest, textObjection } from "../../broker/index.js";
import { type Reply, replyFrom } from "../../face/reply.js";

/**
 * A terminal that edits its lines itself drops what is typed or pasted beyond its own limit, in silence: of Linux 4,095
 * bytes (N_TTY), of macOS and the BSDs 1,023 (MAX_CANON). A line that is as long may be the beginning of a longer one.
 */
export const mostLineBytes = process.platform === "linux" ? 4_095 : 1_023;

/** `line` may hold more lines, which came together with the first. */
export function typedReply(line: string, question: QuestionRequest["question"]): Reply {
  const why = objectionTo(line);
  return why === null ? replyFrom(line, question) : { kind: "wrong", why };
}

/** Why this is not what a person meant to send, or null. */
function objectionTo(line: string): string | null {
  if (line.includes("\n")) return "several lines came at once, as from a paste, and an answer is one line";
  if (Buffer.byteLength(line) >= mostLineBytes) {
    const most = (mostLineBytes - 1).toLocaleString("en");
    return `a line at a terminal has at most ${most} bytes, and the terminal may have cut this one`;
  }
  // An arrow key at a terminal that edits its own lines becomes part of the text.
  if (controls.test(line)) return "it holds what a key like an arrow leaves in a line, and no text";
  return textObjection(line);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const controls = /[\u0001-\u0008\u000b-\u001f\u007f-\u009f]/;
