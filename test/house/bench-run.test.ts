import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { withResults } from "../../bench/document.js";
import { parseOptions } from "../../bench/options.js";
import type { Bench, Row, Setup } from "../../bench/row.js";
import { rows } from "../../bench/rows.js";
import { exitOf, isGood, isProved, runRow } from "../../bench/run.js";
import { lineOf, markdownTable, textTable } from "../../bench/table.js";

/** A row whose subject costs 1.2 floors, and 3 when it is spoilt. */
function row(overrides: Partial<Row> = {}): Row {
  return {
    name: "made",
    what: "something",
    against: "a floor",
    unit: "×",
    gate: { bar: 2, goal: 1.1, holds: "at most" },
    mostBlocks: 6,
    fault: "it sleeps",
    open: async ({ fault }) => ({ block: async () => (fault ? 3 : 1.2), close: async () => {} }),
    ...overrides,
  };
}

const plain: Setup = { fault: false, isFull: false };
const spoilt: Setup = { fault: true, isFull: false };

describe("a run", () => {
  it("passes a good row and fails the same row with its deliberate failure", async () => {
    const good = await runRow(row(), plain);
    const bad = await runRow(row(), spoilt);
    expect(good.judged).toEqual({ value: 1.2, verdict: "holds", blocks: 1 });
    expect(bad.judged).toEqual({ value: 3, verdict: "fails", blocks: 6 });
    expect(isGood([good])).toBe(true);
    expect(isGood([good, bad])).toBe(false);
    expect(isProved([bad])).toBe(true);
    expect(isProved([bad, good])).toBe(false);
  });

  it("without a row is neither good nor a proof", () => {
    expect(isGood([])).toBe(false);
    expect(isProved([])).toBe(false);
  });

  it("fails a row that cannot be measured, and takes it for no proof", async () => {
    const cannotOpen = await runRow(row({ open: () => Promise.reject(new Error("no program")) }), plain);
    expect(cannotOpen).toMatchObject({ error: "no program", judged: { verdict: "fails", blocks: 0 } });
    expect(isGood([cannotOpen])).toBe(false);
    expect(isProved([cannotOpen])).toBe(false);
    expect(lineOf(cannotOpen)).toContain("failed: no program");
  });

  it("ends with 1 only for what was measured: a row that broke ends it with 2, whatever the others say", async () => {
    const good = await runRow(row(), plain);
    const bad = await runRow(row(), spoilt);
    const broken = await runRow(row({ open: () => Promise.reject(new Error("no program")) }), plain);
    const check = { isCheck: true, isProof: false };
    const proof = { isCheck: false, isProof: true };
    expect(exitOf([good], check)).toBe(0);
    expect(exitOf([good, bad], check)).toBe(1);
    expect(exitOf([], check)).toBe(1);
    expect(exitOf([good, bad], { isCheck: false, isProof: false })).toBe(0);
    expect(exitOf([bad], proof)).toBe(0);
    expect(exitOf([bad, good], proof)).toBe(1);
    for (const options of [check, proof]) expect(exitOf([good, bad, broken], options)).toBe(2);
  });

  it("closes what a row opened, also when a block breaks", async () => {
    const closed: string[] = [];
    const bench: Bench = {
      block: () => Promise.reject(new Error("it crashed")),
      close: async () => void closed.push("bench"),
    };
    const broken = await runRow(row({ open: async () => bench }), plain);
    expect(broken.error).toBe("it crashed");
    expect(closed).toEqual(["bench"]);
  });
});

describe("the rows", () => {
  it("have names of their own, a deliberate failure, and a line on the page", () => {
    const page = readFileSync(new URL("../../docs/benchmarks.md", import.meta.url), "utf8");
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
    for (const { name, fault } of rows) {
      expect(fault).not.toBe("");
      expect(page).toContain(`\`${name}\``);
    }
  });

  it("have a goal that is no easier than the bar", () => {
    for (const { name, gate } of rows) {
      const isAsHard = gate.holds === "at most" ? gate.goal <= gate.bar : gate.goal >= gate.bar;
      expect({ name, isAsHard }).toEqual({ name, isAsHard: true });
    }
  });

  it("stand in both tables with value, bar and verdict", async () => {
    const result = await runRow(row({ unit: "KiB" }), spoilt);
    expect(textTable([result]).split("\n").at(-1)).toMatch(
      /^made +3 KiB +≤ 2 KiB +≤ 1.10 KiB +fails +6 +something ÷ a floor$/,
    );
    expect(markdownTable([result]).split("\n").at(-1)).toBe(
      "| something | a floor | 3 KiB | ≤ 2 KiB | ≤ 1.10 KiB | fails | 6 |",
    );
  });
});

describe("the options", () => {
  it("name rows that exist", () => {
    expect(parseOptions(["--check", "--only", "race"], ["race"])).toMatchObject({
      isCheck: true,
      only: ["race"],
    });
    expect(() => parseOptions(["--only", "rase"], ["race"])).toThrow("No row is called rase. Rows: race.");
  });

  it("never judge, or write down, what was spoilt on purpose", () => {
    expect(() => parseOptions(["--prove", "--check"], [])).toThrow("--prove");
    expect(() => parseOptions(["--prove", "--write"], [])).toThrow("--prove");
    expect(() => parseOptions(["--write", "--only", "race"], ["race"])).toThrow("--write takes all rows.");
    expect(parseOptions(["--prove"], [])).toMatchObject({ isProof: true });
  });

  it("refuse what they do not know", () => {
    expect(() => parseOptions(["--chek"], [])).toThrow("--chek");
    expect(() => parseOptions(["race"], ["race"])).toThrow("race");
  });
});

describe("the page", () => {
  it("gets results between its marks and keeps the rest", () => {
    const page = readFileSync(new URL("../../docs/benchmarks.md", import.meta.url), "utf8");
    const written = withResults(withResults(page, "old figures"), "new figures");
    expect(written).toContain("\nnew figures\n");
    expect(written).not.toContain("old figures");
    expect(withResults(written, "")).toBe(withResults(page, ""));
  });

  it("without a place for them is refused", () => {
    expect(() => withResults("# Speed", "figures")).toThrow("no place");
  });
});
