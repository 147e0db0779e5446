/** An entry of TOML is changed as text, in whatever way it is written. */
import fc from "fast-check";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { assignmentsIn } from "../../../src/cli/gate/toml-places.js";
import { desk, put, run, textAt } from "../../support/gate-installing.js";

const codex = { at: "home", path: [".codex", "config.toml"] } as const;

/** A text in one of the ways in which TOML writes it; a line end only where there are three quotes. */
const written = fc
  .tuple(fc.string({ unit: "grapheme-ascii", maxLength: 12 }), fc.integer({ min: 0, max: 3 }))
  .map(([text, kind]) => {
    const basic = JSON.stringify(text);
    const isLiteral = !text.includes("'");
    if (kind === 1 && isLiteral) return `'${text}'`;
    if (kind === 2) return `"""\n${basic.slice(1, -1)}"""`;
    if (kind === 3 && isLiteral) return `'''${text}'''`;
    return basic;
  });

const noise = fc.constantFrom(
  "",
  "# [mcp_servers.fs] command = 1\n",
  'x = "[mcp_servers.fs]"\n',
  '"odd key".\'#\' = [ 1, [ 2, "]" ], { a = "}" } ] # ]\n',
  'y = """\n[mcp_servers.fs]\ncommand = "no"\n"""\n',
  "z = 1979-05-27 07:32:00\n",
  "w = '''\n''''\n",
);

type Form = (command: string, args: readonly string[] | null) => string;
const forms: readonly Form[] = [
  (command, args) =>
    `[mcp_servers.fs]\ncommand = ${command} # c\n${args === null ? "" : `args = [${args.join(",")}]\n`}enabled = true\n`,
  (command, args) =>
    `[ mcp_servers . "fs" ]\n${args === null ? "" : `\targs=[ # first\n ${args.map((one) => `${one}, # x\n`).join("")} ]\n`}\tcommand=${command}`,
  (command, args) =>
    `[mcp_servers]\nfs = {${args === null ? "" : ` args = [ ${args.join(" , ")} ],`} command = ${command}, env = { command = "x" } }\n`,
  (command, args) =>
    `mcp_servers.fs.command = ${command}\n${args === null ? "" : `mcp_servers.fs.args = [${args.join(", ")}]\n`}[after]\nargs = 1\n`,
  (command, args) =>
    `[mcp_servers.fs.env]\ncommand = "x"\n[mcp_servers.fs]\n  "command" = ${command}\n${args === null ? "" : `  'args' = [\n${args.map((one) => `    ${one},\n`).join("")}  ]\n`}`,
];

describe("an entry of TOML", () => {
  it("is changed and given back, in every form, with every kind of text, and nothing else is", async () => {
    const args = fc.option(fc.array(written, { maxLength: 3 }), { nil: null });
    const form = fc.constantFrom(...forms);
    const property = fc.asyncProperty(
      written,
      args,
      form,
      noise,
      fc.boolean(),
      async (command, words, write, before, isCrLf) => {
        const lines = before + write(command, words);
        const text = isCrLf ? lines.replaceAll("\n", "\r\n") : lines;
        const at = desk();
        const path = put(at, { ...codex, text });
        const { mcp_servers: servers, ...others } = parse(text);
        const { fs } = servers as { fs: { command: string; args?: string[]; env?: object } };
        const done = await run(at, "install", "fs");
        expect(done.exit, done.err).toBe(0);
        const { mcp_servers: serversNow, ...othersNow } = parse(textAt(path));
        const { fs: fsNow } = serversNow as { fs: { command: string; args: string[] } };
        expect(othersNow).toEqual(others);
        expect(fsNow).toEqual({
          ...fs,
          command: "/opt/node",
          args: [...fsNow.args.slice(0, 5), fs.command, ...(fs.args ?? [])],
          env: { ...fs.env, WISP_HOME: at.home.path },
        });
        if (isCrLf) expect(textAt(path).replaceAll("\r\n", "")).not.toContain("\n");
        await run(at, "uninstall", "fs");
        expect(textAt(path)).toBe(text);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it("ends for every text, and every value stands where it is said to", () => {
    const piece = fc.constantFrom(
      "[",
      "]",
      "{",
      "}",
      "=",
      ",",
      ".",
      "a",
      '"',
      "'",
      '"""',
      "'''",
      "\\",
      "#",
      "\n",
      "\r\n",
      " ",
      "1",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        for (const { keySpan, value } of assignmentsIn(text)) {
          expect(keySpan.start).toBeLessThan(keySpan.end);
          expect(value.start).toBeLessThanOrEqual(value.end);
          expect(value.end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(assignmentsIn('a.b = "c"').map(({ path }) => path)).toEqual([["a", "b"]]);
  });
});
