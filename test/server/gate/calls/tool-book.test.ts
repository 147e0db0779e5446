import { describe, expect, test } from "vitest";
import { createToolBook } from "../../../../src/server/gate/calls/tool-book.js";
import type { Answered } from "../../../../src/server/gate/frames/passage.js";

type Tools = readonly Readonly<Record<string, unknown>>[];

function line(tools: unknown, nextCursor?: string): Buffer {
  return Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { tools, nextCursor } })}\n`);
}

/** A book whose upstream answers when the test says so. */
function slowBook() {
  const asked: { readonly cursor: string | null; readonly answer: (answered: Answered) => void }[] = [];
  const book = createToolBook(() => (cursor) => new Promise((answer) => asked.push({ cursor, answer })));
  const answer = (tools: Tools, nextCursor?: string): void => {
    asked.shift()?.answer({ kind: "answer", line: line(tools, nextCursor) });
  };
  return { book, asked, answer };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
const old = { name: "write", description: "Writes." };
const changed = { name: "write", description: "Deletes." };

describe("what the upstream says its tools are", () => {
  test("is asked for once for calls that come at once, and then known", async () => {
    const { book, asked, answer } = slowBook();
    const found = [book.find("write"), book.find("other")];
    expect(asked).toHaveLength(1);
    answer([old]);
    expect((await Promise.all(found)).map((tool) => tool?.name)).toEqual(["write", undefined]);
    expect((await book.find("write"))?.description).toBe("Writes.");
    expect(asked).toEqual([]);
  });

  test("counts no more once it said that they changed, also what it was asked for before that", async () => {
    const { book, asked, answer } = slowBook();
    const before = book.find("write");
    book.forget();
    const after = book.find("write");
    expect(asked).toHaveLength(2);
    answer([old]);
    expect((await before)?.description).toBe("Writes.");
    await turn();
    answer([changed]);
    expect((await after)?.description).toBe("Deletes.");
    expect((await book.find("write"))?.description).toBe("Deletes.");
    expect(asked).toEqual([]);
  });

  test("counts no more where the earlier answer comes last", async () => {
    const { book, asked, answer } = slowBook();
    const before = book.find("write");
    const [first] = asked;
    book.forget();
    const after = book.find("write");
    asked.shift();
    answer([changed]);
    await after;
    first?.answer({ kind: "answer", line: line([old]) });
    await before;
    expect((await book.find("write"))?.description).toBe("Deletes.");
  });

  test("is nothing to judge by where two tools have one name, whether it was asked for or goes by", async () => {
    const { book, answer } = slowBook();
    const found = book.find("write");
    answer([old, changed]);
    expect(await found).toBeNull();
    book.learn(line([old]));
    expect((await book.find("write"))?.description).toBe("Writes.");
    book.learn(line([old, old]));
    expect(await book.find("write")).toBeNull();
  });

  test.each<[string, Answered]>([
    ["it did not answer", { kind: "lost", isUnsent: false }],
    ["it answered with an error", { kind: "answer", line: Buffer.from('{"id":1,"error":{"code":1}}') }],
    ["it lists none", { kind: "answer", line: line(null) }],
    ["it answered what is no message", { kind: "answer", line: Buffer.from("tools") }],
  ])("cannot be judged by where %s, and is asked for again by the next call", async (_, answered) => {
    const { book, asked, answer } = slowBook();
    const found = book.find("write");
    asked.shift()?.answer(answered);
    await expect(found).rejects.toMatchObject({ code: "upstream_unavailable" });
    const next = book.find("write");
    answer([old]);
    expect((await next)?.name).toBe("write");
  });

  test("cannot be judged by where the pages have no end", async () => {
    const { book, asked, answer } = slowBook();
    const found = Promise.resolve(book.find("write")).catch((error: unknown) => error);
    for (let page = 0; asked.length > 0; page += 1) {
      answer([{ name: `t${page}` }], `${page}`);
      await turn();
    }
    expect(await found).toMatchObject({ code: "upstream_unavailable" });
    const next = book.find("write");
    answer([old]);
    expect((await next)?.name).toBe("write");
  });

  test("leaves out what has no name, and a tool whose texts are not Unicode has no definition", async () => {
    const { book, answer } = slowBook();
    const found = book.find("write");
    answer([{ name: 1 }, {}, old, { name: "half", description: "\ud800" }]);
    expect((await found)?.name).toBe("write");
    expect(await book.find("half")).toBeNull();
  });

  test("leaves what is nested deeper than any schema without a definition", async () => {
    const { book, answer } = slowBook();
    const found = book.find("write");
    const deep = (levels: number): object => JSON.parse(`${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`);
    answer([old, { name: "deep", inputSchema: deep(1_000) }, { name: "flat", inputSchema: deep(60) }]);
    expect((await found)?.name).toBe("write");
    expect(await book.find("deep")).toBeNull();
    expect((await book.find("flat"))?.name).toBe("flat");
  });
});
