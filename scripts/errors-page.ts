/** The text of docs/errors.md, from the tables in the code. */
import { errorCodes } from "../src/broker/request/error-codes.js";
import { outcomes } from "../src/broker/request/outcome.js";

export function errorsPage(): string {
  return `# Errors and outcomes

<!-- Generated from src/broker/request/error-codes.ts, errors.ts and outcome.ts by scripts/generate.mjs; do not edit. -->

What a person or a timer did is an outcome. A broken promise (a file that cannot be written, a request that was
changed, a wrong argument) is an error. Both have a code from one closed list; branch on the code, never on the text.

## Outcomes

How one ask ended. *Receipt* is what stands under \`outcome\` in the receipt (docs/channel.md); *code* is what an
agent sees; *exit* is the exit code of a command that waited for it. A dash means that nobody can see it there.

${table(["Outcome", "Caused by", "Receipt", "Code", "Exit"], outcomeRows())}

A fact that was kept and a question that was answered end as \`approved\`; a fact that was dropped and a question
that was declined end as \`denied\`, or \`declined\` in the client's dialog. \`not_obtained\` happens only where the
dialog was the only way of asking, so no receipt of it is filed. A result may also say \`refused\`: a machine's no,
as for a wrong argument. Nobody was asked, and the code says why.

Identical calls that wait at the same time are one request: one dialog, one answer, one receipt. A yes for once is for
the oldest of them that is still there, and \`already_decided\` is what the others get; every other ending is told to
all. A call that is cancelled while others wait is \`abandoned\` alone and leaves the request as it is. For a minute,
or as long as the configuration says, a \`denied\` or \`declined\` call that comes again gets the same answer without
anybody being asked.

A call may end while its request waits on: it is \`pending\`, and the same call, made again, goes on waiting or is told
what was said meanwhile. A no is told to the first that comes. A yes is used up by the first that comes, for five minutes
or as long as the configuration says, also by another server; when what it was for has changed by then, it is used up as
\`drifted\` and nothing runs. Calls are the same when client, server, directory, words and state are;
one that joins a request that still waits is of the same thread, too.

### Questions and facts on the wire

What came of a question or a fact as an agent sees it; every other ending of a question is as in the table above.

${table(["What came of it", "Outcome", "Code", "Is an error"], wireRows())}

## Error codes

*Retry* says whether the same call may succeed later without being changed. The instruction is what whoever
receives the error does next.

${table(["Code", "Retry", "Instruction"], errorRows())}
`;
}

/** As `ask_person`, `read_answer` and `keep_fact` tell it. */
function wireRows(): readonly (readonly string[])[] {
  return [
    ["a person answered the question", marked("answered"), "–", "no"],
    ["a person declined the question", marked("declined"), "–", "no"],
    ["the question waits on", marked("pending"), marked(outcomes.pending.code), "no"],
    ["too many questions of this connection wait", marked("refused"), marked("rate_limited"), "yes"],
    ["a person is asked whether to keep the fact", marked("pending"), "–", "no"],
    ["a person kept the fact already", marked("approved"), "–", "no"],
    ["a person dropped the fact", marked("refused"), marked("fact_dropped"), "yes"],
    ["too many facts of this client wait", marked("refused"), marked("rate_limited"), "yes"],
  ];
}

function outcomeRows(): readonly (readonly string[])[] {
  return Object.entries(outcomes).map(([name, { causedBy, receipt, code, exit }]) => [
    marked(name),
    causedBy,
    receipt === null ? "–" : marked(receipt),
    code === null ? "–" : marked(code),
    exit === null ? "–" : String(exit),
  ]);
}

function errorRows(): readonly (readonly string[])[] {
  return Object.entries(errorCodes)
    .map(([code, { retryable, recovery }]) => [marked(code), retryable ? "yes" : "no", recovery])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1));
}

function marked(name: string): string {
  return `\`${name}\``;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}
