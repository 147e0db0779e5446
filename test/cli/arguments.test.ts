import { describe, expect, it } from "vitest";
import { WispError } from "../../src/broker/request/errors.js";
import { type Arguments, parseArguments, type Shape } from "../../src/cli/arguments.js";
import { configVerbs } from "../../src/cli/config-verbs.js";
import { factVerbs } from "../../src/cli/fact-verbs.js";
import { keptVerbs } from "../../src/cli/kept-verbs.js";
import { questionVerbs } from "../../src/cli/question-verbs.js";

const shape: Shape = {
  command: "wisp approvals approve",
  synopsis: "ID [--json] [--note TEXT]",
  switches: ["json"],
  options: ["note", "scope"],
  takesId: true,
};
const withoutId: Shape = { ...shape, takesId: false };

const parse = (...words: string[]): Arguments => parseArguments(words, shape);

function refusal(words: readonly string[], of: Shape = shape): WispError {
  try {
    parseArguments(words, of);
  } catch (error) {
    if (error instanceof WispError) return error;
    throw error;
  }
  throw new Error(`${words.join(" ")} was accepted`);
}

describe("arguments of a verb", () => {
  it("takes flags before and after the id, with = or without", () => {
    for (const words of [
      ["k7q2", "--json", "--note", "a b"],
      ["--note=a b", "--json", "k7q2"],
      ["--json", "--note", "a b", "--", "k7q2"],
    ]) {
      const { switches, options, id } = parse(...words);
      expect({ switches: [...switches], note: options.get("note"), id }).toEqual({
        switches: ["json"],
        note: "a b",
        id: "k7q2",
      });
    }
  });

  it("takes a value that looks like a flag, and one with = in it", () => {
    expect(parse("k7q2", "--note", "--json").options.get("note")).toBe("--json");
    expect(parse("k7q2", "--note=a=b").options.get("note")).toBe("a=b");
    expect(parse("k7q2", "--note=").options.get("note")).toBe("");
  });

  it("takes everything after -- as operands", () => {
    expect(parse("--", "--json")).toMatchObject({ id: "--json", switches: new Set() });
    expect(parse("--", "-h")).toMatchObject({ id: "-h", isHelp: false });
  });

  it.each([["--help"], ["-h"], ["k7q2", "--help"]])("shows the help for %s", (...words) => {
    expect(parse(...words).isHelp).toBe(true);
  });

  it.each<[string[], RegExp]>([
    [["k7q2", "--jsn"], /no flag --jsn.*Did you mean --json/],
    [["k7q2", "--late"], /no flag --late\.$/],
    [["k7q2", "-j"], /no flag -j/],
    [["k7q2", "-note", "x"], /no flag -note/],
    [["k7q2", "--json=yes"], /--json takes no value/],
    [["k7q2", "--note"], /--note needs a value/],
    [["k7q2", "--note", "a", "--note", "b"], /--note stands twice/],
    [["k7q2", "p4rv"], /too many: p4rv/],
    [[], /id of a request is missing/],
    [[""], /id of a request is missing/],
    [["--"], /id of a request is missing/],
    [["k7q2", "--__proto__"], /no flag --__proto__/],
    [["k7q2", "--constructor=x"], /no flag --constructor/],
  ])("refuses %j", (words, message) => {
    const error = refusal(words);
    expect(error.code).toBe("invalid_input");
    expect(error.message).toMatch(message);
    expect(error.fix).toBe("wisp approvals approve --help");
    expect(parse("k7q2", "--json").id).toBe("k7q2");
  });

  it("names what is missing", () => {
    const messageOf = (operand: string) => refusal([], { ...withoutId, operand, takesId: true }).message;
    expect(messageOf("The key")).toBe("Which one? The key is missing.");
  });

  it.each([
    [factVerbs, "forget", "The id of a fact"],
    [questionVerbs, "answer", "The id of a question"],
    [configVerbs, "get", "The key"],
    [keptVerbs, "revoke", "The id of what was granted"],
  ])("of a verb that takes no id of a request names what it takes", (verbs, name, what) => {
    const shape = verbs.get(name) ?? expect.fail("There is no such verb.");
    expect(refusal([], shape).message).toBe(`Which one? ${what} is missing.`);
  });

  it("refuses an operand where none is taken", () => {
    expect(refusal(["k7q2"], withoutId).message).toMatch(/too many: k7q2/);
    expect(parseArguments(["--json"], withoutId).switches.has("json")).toBe(true);
  });

  it("looks for no near flag when the typed one is longer than anybody types", () => {
    expect(refusal(["k7q2", `--json${"x".repeat(100_000)}`]).message).not.toContain("Did you mean");
  });
});
