/** The text of docs/audit.md, from the tables in the code. */
import type { Fields } from "../src/broker/audit/event-fields.js";
import { auditEvents, type EventKind, eventParts } from "../src/broker/audit/events.js";
import { auditCheckByHand } from "./audit-check.js";

export function auditPage(): string {
  return `# The audit log

<!-- Generated from src/broker/audit/events.ts by scripts/audit-page.ts and scripts/generate.mjs; do not edit. -->

\`audit/log.jsonl\` in the home says who allowed what, when, how, by which rule, and what became of it. Every server and every
face that decides, keeps or sweeps something writes into it. A yes is on disk there before what it allows begins; where that
cannot be written, nothing runs. \`wisp audit verify\`, \`show\`, \`export\` and \`stats\` read it, from anywhere; so may any
program: the format is this page.

Never a secret, an environment or a person's free text: of those stands a SHA-256 over their UTF-8 bytes, or nothing.
\`command\` and \`directory\` stand there as [shown](channel.md#showing) text: who can read the log can read what was run.

## A line

Each line is one JSON object in UTF-8 without blanks, with these keys in this order, and ends with a newline. A number is
whole or has a fraction; nothing is written with an exponent.

| key | what |
| --- | --- |
| \`v\` | 1 |
| \`seq\` | the number of the record, from 1, without a gap, over all files |
| \`ts\` | milliseconds since 1970 by the clock on the wall |
| \`prev\` | \`hash\` of the record before; of the first one 64 zeros |
| \`kind\` | [below](#kinds) |
| \`session\` | who wrote it: the instance of a server, or a face (\`cli\`, \`tui\`, \`chat\`) |
| \`call\` | the id of the request; null where there is none |
| \`verified\` | what whoever wrote the line looked at itself |
| \`selfReported\` | what somebody said of itself: client, thread, the process that answered. Nothing has checked it |
| \`details\` | everything else |
| \`head_fault\` | only where the signed head was not right when the line was written: what was wrong with it |
| \`mac\` | HMAC-SHA256 over the line up to the comma before it, closed by \`}\`; proves that a holder of the key of this home wrote it |
| \`hash\` | SHA-256 over the line up to the comma before it, closed by \`}\`, as 64 hexadecimal digits |

\`verified\`, \`selfReported\` and \`details\` are never merged: the same word under two of them says two things.

## Chain and head

\`prev\` and \`hash\` chain the records, so that none can be changed, taken out or moved without the next one showing it.
\`audit/head.json\` says how far the chain goes: {\`v\`, \`seq\`, \`hash\`, \`start\`, \`key\`, \`signature\`}, signed with an Ed25519
key that is made at first use and lies under \`keys/\`. \`start\` is {\`seq\`, \`prev\`} of the oldest record that is kept. The head
is written after the records, so some may stand past it; their macs say whether they are ours. Fewer records than the head
says are a fault. A head that is not right is never signed again: records go on, and each says so under \`head_fault\`.

A file that has grown long is put aside as \`log.FIRST-LAST.jsonl\`, by the numbers of its first and last record, and the chain
goes on in a new \`log.jsonl\`.

\`wisp audit verify\` exits with 0, or with 1 and the first record that is not right:

| fault | what it means |
| --- | --- |
| \`hash_mismatch\` | the bytes of a record are not those that its hash was made of |
| \`seq_gap\` | a record is missing, there twice, or elsewhere than its number says |
| \`chain_break\` | a record does not follow the one before it |
| \`head_mismatch\` | the signed head says something else than the records |
| \`bad_signature\` | the head is not signed by this home, or a record past it was not written by it |

\`show\`, \`export\` and \`stats\` verify as well, say what does not hold, and leave out every record whose mac is not of this
home. Without the secret they tell all, and say that nothing of it is proved.

What holds the key proves nothing against whoever can read \`keys/\`: see [SECURITY.md](../SECURITY.md).

## By hand

The chain needs no program of ours. In the directory of the log, with the files in the order of their numbers:

\`\`\`sh
${auditCheckByHand}\`\`\`

It prints nothing where all records hold, and otherwise the line of the first that does not.

## An ask, in order

1. \`policy.judged\`: what the policy says. \`deny\`: nothing else follows. \`allow\`: 7 follows.
2. \`approval.requested\`: it is about to be asked, and in which ways.
3. \`approval.pending\`: it waits under its id, which is \`call\` from here on.
4. \`notification\`, \`dialog.ended\`, \`answer.refused\`: none or several, while it waits.
5. \`approval.answered\`: a person answered; missing where nobody did.
6. \`approval.settled\`: what the receipt says.
7. \`approval.decided\`: how it ended for the call; where it may run, with \`run\`.
8. \`effect.started\` and \`effect.finished\` with the same \`run\`: it ran, and how that ended.

A yes that comes when no call waits leaves \`grant.kept\`; the call that uses it up writes \`policy.judged\`, \`grant.claimed\`
and \`approval.decided\`. A yes for the project or for always leaves \`rule.remembered\`, and a call that it allows has the id of
the rule under \`remembered\`.

## Kinds

What is missing under a kind is empty in its lines. *Or missing*: lines without a use for the field leave it out.

${Object.entries(auditEvents as Readonly<Record<string, EventKind>>)
  .map(([name, kind]) => section(name, kind))
  .join("\n\n")}
`;
}

function section(name: string, kind: EventKind): string {
  const rows = eventParts.flatMap((part) => rowsOf(part, kind[part]));
  const table =
    rows.length === 0 ? [] : ["", "| where | field | value | what |", "| --- | --- | --- | --- |", ...rows];
  return [`### ${name}`, "", kind.says, ...table].join("\n");
}

function rowsOf(part: string, fields: Fields): readonly string[] {
  return Object.entries(fields).flatMap(([name, { type, says, within = {} }]) => [
    `| \`${part}\` | \`${name}\` | ${type} | ${says} |`,
    ...rowsOf(`${part}.${name}`, within),
  ]);
}
