/** docs/channel.md is what authors of other faces go by: its example and its tables are held to the code. */
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { VectorIndex } from "../../../scripts/vectors/index.js";
import {
  answerSchema,
  decisions,
  longestNote,
  objectionTo,
  vias,
} from "../../../src/broker/request/answer.js";
import { shortfalls } from "../../../src/broker/request/assurance.js";
import {
  answerHash,
  bindingOf,
  canonicalJson,
  commitmentOf,
  composeRequest,
  isReceiptVerified,
} from "../../../src/broker/request/binding.js";
import { shortened } from "../../../src/broker/request/long-text.js";
import { receiptOutcomes } from "../../../src/broker/request/outcome.js";
import { receiptSchema } from "../../../src/broker/request/receipt.js";
import {
  assurances,
  kinds,
  levels,
  type Request,
  requestSchema,
} from "../../../src/broker/request/request.js";
import { scopes } from "../../../src/broker/request/scope.js";
import { shownText } from "../../../src/broker/request/shown.js";
import { parseStrictJson } from "../../../src/broker/request/strict-json.js";
import { filingFacts } from "../../support/builders.js";
import { everyDraft } from "../../support/request-kinds.js";
import * as zod from "../../support/zod-format.js";

const root = join(import.meta.dirname, "../../..");
const page = readFileSync(join(root, "docs/channel.md"), "utf8");

describe("the worked example", () => {
  const blocks = [...section("A worked example").matchAll(/^```[a-z]+\n(.*?)\n```$/gms)].map(
    (match) => match[1] ?? "",
  );
  const [
    requestJson = "",
    bytes = "",
    binding = "",
    answerJson = "",
    hash = "",
    secretHex = "",
    receiptJson = "",
  ] = blocks;
  const request = requestSchema.parse(strict(requestJson));
  const answer = answerSchema.parse(strict(answerJson));
  const receipt = receiptSchema.parse(strict(receiptJson));
  const secret = Buffer.from(secretHex, "hex");

  test("the bytes it shows are those of the request, and hash to the binding", () => {
    expect(blocks).toHaveLength(7);
    const { binding: filed, ...bound } = request;
    expect(bytes).toBe(`wisp/request/v1\n${canonicalJson(bound)}`);
    expect(createHash("sha256").update(bytes, "utf8").digest("hex")).toBe(binding);
    expect([filed, bindingOf(request), answer.binding]).toEqual([binding, binding, binding]);
  });

  test("the answer may decide the request, and its hash stands in the receipt", () => {
    expect(objectionTo(answer, request)).toBeNull();
    expect([answerHash(answer), receipt.answer]).toEqual([hash, hash]);
  });

  test("the secret is what the request committed to, and the receipt is verified under it", () => {
    expect(commitmentOf(secret)).toBe(request.receiptCommit);
    expect(receipt.reveal).toBe(secret.toString("base64url"));
    const { reveal: _secret, mac, ...proved } = receipt;
    const own = createHmac("sha256", secret)
      .update(`wisp/receipt/v1\n${canonicalJson(proved)}`)
      .digest("hex");
    expect(own).toBe(mac);
    expect(isReceiptVerified(receipt, request)).toBe(true);
  });

  test("the same files are among the vectors", () => {
    const valid = join(root, "test/vectors/channel/valid");
    const files = {
      "request-approval-words": request,
      "answer-approve": answer,
      "receipt-answered": receipt,
    };
    for (const [name, value] of Object.entries(files)) {
      expect(JSON.parse(readFileSync(join(valid, `${name}.json`), "utf8"))).toEqual(value);
    }
  });
});

describe("the tables", () => {
  const words = filed("a command as words");
  const command = words.kind === "approval" ? words.subject : {};
  const question = filed("a question");
  const fact = filed("a fact");
  const shared = Object.keys(fact).filter((key) => key !== "fact");

  test.each<readonly [string, object]>([
    ["Every request", Object.fromEntries(shared.map((key) => [key, null]))],
    ["Commands", command],
    ["Tool calls", subjectOf("a tool call")],
    ["Permission prompts", subjectOf("a client's permission prompt")],
    ["Facts", fact.kind === "fact" ? fact.fact : {}],
    ["Questions", question.kind === "question" ? question.question : {}],
    ["Long texts", Object(shortened("x".repeat(20_000)))],
  ])("the table of %s has exactly the keys that there are", (title, value) => {
    expect(keysIn(title)).toEqual(Object.keys(value).sort());
  });

  test("approvals have the keys of every request and those of their table", () => {
    expect(keysIn("Approvals")).toEqual(
      Object.keys(words)
        .filter((key) => !shared.includes(key))
        .sort(),
    );
  });

  test("the tables of answers, receipts and refusals have exactly the keys of their schemas", () => {
    expect(keysIn("An answer", 0)).toEqual(Object.keys(zod.answerSchema.def.shape).sort());
    expect(keysIn("Receipts")).toEqual(Object.keys(zod.receiptSchema.def.shape).sort());
    expect(keysIn("A refusal")).toEqual(Object.keys(zod.refusalSchema.def.shape).sort());
  });

  test("every value that a field may have is named in its row", () => {
    const rows: readonly (readonly [string, string, readonly string[]])[] = [
      ["Every request", "kind", kinds],
      ["Approvals", "level", levels],
      ["Approvals", "scopes", scopes],
      ["Approvals", "assurance", assurances],
      ["An answer", "via", vias],
      ["Receipts", "kind", kinds],
      ["Receipts", "outcome", receiptOutcomes],
    ];
    for (const [title, key, values] of rows) {
      const row =
        section(title)
          .split("\n")
          .find((line) => line.startsWith(`| \`${key}\` |`)) ?? "";
      expect([title, key, values.filter((value) => !row.includes(`\`${value}\``))]).toEqual([title, key, []]);
    }
    const named = decisions.filter((decision) => section("An answer").includes(`\`${decision}\``));
    expect(named).toEqual(decisions);
    const explained = section("Who gave it").match(/^\| `\w+_\w+` \|/gm) ?? [];
    expect(explained).toEqual(shortfalls.map((shortfall) => `| \`${shortfall}\` |`));
  });

  test("every key of the vectors' index is explained", () => {
    const index = readFileSync(join(root, "test/vectors/channel/index.json"), "utf8");
    const { vectors } = JSON.parse(index) as VectorIndex;
    const keys = new Set(vectors.flatMap((vector) => Object.keys(vector)));
    expect(keysIn("Vectors")).toEqual([...keys].sort());
  });
});

describe("the text", () => {
  test("limits and escapes are those of the code", () => {
    expect(page).toContain(`at most ${longestNote.toLocaleString("en")} UTF-16 units`);
    for (const original of ["\u202e", " ".repeat(40)]) expect(page).toContain(`\`${shownText(original)}\``);
    expect(page).toContain("`\\u{5c}u{` for a `\\u{`");
    expect(shownText("\\u{")).toBe("\\u{5c}u{");
    expect(page).toContain("`\\u{2420}×` for a `␠×`");
    expect(shownText("␠×")).toBe("\\u{2420}×");
  });

  test("links inside the page lead somewhere", () => {
    const anchors = new Set(
      [...page.matchAll(/^#+ (.*)$/gm)].map((match) =>
        (match[1] ?? "")
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, "")
          .replaceAll(" ", "-"),
      ),
    );
    const links = [...page.matchAll(/\]\(#([^)]*)\)/g)].map((match) => match[1] ?? "");
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((link) => !anchors.has(link))).toEqual([]);
  });
});

/** The part under the heading `title`, up to the next heading of any level. */
function section(title: string): string {
  const [, after = ""] = page.split(new RegExp(`^#+ ${title}$`, "m"));
  return after.split(/^#+ /m)[0] ?? "";
}

/** Names in the first column of table `number` under a heading, sorted. */
function keysIn(title: string, number = 0): readonly string[] {
  const tables = section(title).match(/(?:^\|.*\n)+/gm) ?? [];
  const rows = (tables[number] ?? "").split("\n").slice(2);
  return rows
    .flatMap((row) =>
      [...(row.split(" | ")[0] ?? "").matchAll(/`([A-Za-z0-9]+)`/g)].map((match) => match[1] ?? ""),
    )
    .sort();
}

function filed(name: string): Request {
  const draft = everyDraft()[name];
  if (draft === undefined) throw new Error(`There is no ${name}.`);
  return composeRequest(draft, filingFacts());
}

function subjectOf(name: string): object {
  const request = filed(name);
  return request.kind === "approval" ? request.subject : {};
}

function strict(text: string): unknown {
  const parsed = parseStrictJson(new TextEncoder().encode(text));
  if (!parsed.ok) throw new Error(parsed.objection);
  return parsed.value;
}
