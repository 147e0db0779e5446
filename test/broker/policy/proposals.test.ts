/** What `wisp accept` shows of the files of rules, against what was accepted of them. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealedPath, writeAccepted } from "../../../src/broker/files/sealed.js";
import { policyProposal } from "../../../src/broker/policy/policy-proposal.js";
import type { RememberedRule } from "../../../src/broker/policy/remembered.js";
import { rememberedText } from "../../../src/broker/policy/remembered-file.js";
import { rememberedProposal } from "../../../src/broker/policy/remembered-proposal.js";
import { ruleInForce } from "../../support/remembered.js";
import { rememberedOptions } from "../../support/remembered-home.js";
import { tempDirectory } from "../../support/temp-home.js";

type FileName = "policy.json" | "remembered.json";

function proposingHome(name: FileName) {
  const path = join(tempDirectory(), "home");
  mkdirSync(path, { mode: 0o700 });
  const options = rememberedOptions(path);
  const file = join(path, name);
  return {
    file,
    seal: sealedPath(path, name),
    write(content: string | Uint8Array): void {
      writeFileSync(file, content, { mode: 0o600 });
    },
    accept: (value: string | object) => writeAccepted(options, name, value, options.keys),
    propose: () =>
      name === "policy.json"
        ? policyProposal({ home: path, keys: options.keys, homeDirectory: "/home/p" })
        : rememberedProposal(path, options.keys),
  };
}

const listsText = (...ask: readonly unknown[]): string => JSON.stringify({ permissions: { ask } }, null, 1);

describe.each<[FileName, good: string]>([
  ["policy.json", listsText("Bash(ls)")],
  ["remembered.json", rememberedText([ruleInForce()])],
])("a proposal of %s", (name, good) => {
  it.each<[what: string, spoil: (file: string) => void, message: RegExp, fix: RegExp]>([
    ["open to others", (file) => chmodSync(file, 0o644), /open to others/, /./],
    [
      "a link",
      (file) => {
        writeFileSync(`${file}.2`, good, { mode: 0o600 });
        rmSync(file);
        symlinkSync(`${file}.2`, file);
      },
      /symbolic link/,
      /^Correct /,
    ],
    [
      "not UTF-8",
      (file) => writeFileSync(file, Buffer.from([0x22, 0xff, 0x22])),
      /UTF-8|not JSON/,
      /^Correct /,
    ],
    [
      "a text with a mark of byte order",
      (file) => writeFileSync(file, `\ufeff${good}`),
      /byte order mark/,
      /./,
    ],
    ["a text with a NUL", (file) => writeFileSync(file, `${good}\0`), /NUL|not JSON/, /^Correct /],
    ["half a text", (file) => writeFileSync(file, good.slice(0, -5)), /not JSON/, /^Correct /],
  ])(
    "says why the file is unusable that is %s, and proposes nothing of it",
    async (_what, spoil, message, fix) => {
      const home = proposingHome(name);
      home.write(good);
      spoil(home.file);
      const proposal = home.propose();
      expect(proposal).toMatchObject({ changes: [], rewritten: null, before: null });
      expect(proposal.fault?.message).toMatch(message);
      expect(proposal.fault?.fix).toMatch(fix);
      expect(proposal.fault?.message).toMatch(new RegExp(`^${name} cannot be used: `));
    },
  );

  it("says why what was accepted counts for nothing, and holds all of the file as new", async () => {
    const home = proposingHome(name);
    await home.accept(good);
    home.write(good);
    expect(home.propose()).toMatchObject({ changes: [], distrust: null });
    writeFileSync(home.seal, "{}");
    expect(home.propose()).toMatchObject({ changes: [{ sign: "+" }], distrust: "not as wisp writes it" });
  });

  it("is empty where nothing is there and nothing was accepted", () => {
    expect(proposingHome(name).propose()).toEqual({
      ...{ name, changes: [], distrust: null, rewritten: null, fault: null },
      ...{ value: null, before: null, after: null },
    });
  });

  it("holds all of the file as new where what was accepted cannot be read any more, or is of another form", async () => {
    for (const accepted of ["no rules", { permissions: {} }]) {
      const home = proposingHome(name);
      await home.accept(accepted);
      home.write(good);
      expect(home.propose()).toMatchObject({ fault: null, changes: [{ sign: "+" }] });
      const { value } = home.propose();
      await home.accept(String(value));
      home.write(String(value));
      expect(home.propose()).toMatchObject({ fault: null, changes: [] });
    }
  });
});

describe("a proposal of policy.json", () => {
  it("says how a file that others can open is closed to them", () => {
    const home = proposingHome("policy.json");
    home.write(listsText("Bash(ls)"));
    chmodSync(home.file, 0o644);
    expect(home.propose().fault?.fix).toBe(`chmod 600 ${home.file}`);
    chmodSync(home.file, 0o600);
    expect(home.propose().fault).toBeNull();
  });

  it("names each rule that asks and stands before others now, with its line", async () => {
    const home = proposingHome("policy.json");
    const [one, other, third] = ["Bash(a)", { rule: "Bash(b)", level: "high" }, "Bash(c)"];
    await home.accept(listsText(one, other, third));
    home.write(listsText(third, one, other));
    const text = "rules that ask in another order: the first that matches says level and maxScope";
    const details = [
      'Bash(c) (line 4) now stands before Bash(a) (line 5), and before {"level":"high","rule":"Bash(b)"} (line 6)',
    ];
    const order = { sign: "~", list: "order", text, details, line: 4, effect: "unclear" };
    expect(home.propose().changes).toEqual([order]);
    home.write(listsText(one, other, third, "Bash(d)"));
    expect(home.propose().changes).toMatchObject([{ sign: "+", text: "Bash(d)", line: 10 }]);
    home.write(listsText(one, third));
    const taken = { sign: "-", list: "ask", text: "Bash(b)", effect: "looser", line: null };
    expect(home.propose().changes).toMatchObject([taken]);
  });
});

describe("a proposal of remembered.json", () => {
  const rule = ruleInForce();
  const { id } = rule;

  it("says of each entry where, for how long and for which program it would count", () => {
    const home = proposingHome("remembered.json");
    const open = { directory: null, program: null, programIdentity: null, askedBy: null } as const;
    const always = ruleInForce({ ...open, createdAt: 0, expiresAt: Number.MAX_SAFE_INTEGER });
    const bound: Partial<RememberedRule> = {
      ...{ id: "bcdefghj", scope: "project" as const, directory: "/srv", askedBy: "Bash(git *)" },
      ...{ program: "/bin/x", programIdentity: "x", createdAt: 0, expiresAt: 1_000 },
    };
    home.write(rememberedText([always, ruleInForce(bound)]));
    expect(home.propose().changes).toMatchObject([
      {
        details: ["in every directory", "from 1970-01-01T00:00:00.000Z until the end of time"],
        ...{ sign: "+", line: 5, effect: "looser" },
      },
      {
        details: [
          "in /srv",
          "runs /bin/x",
          "as long as that file is x",
          "when Bash(git *) asks",
          "from 1970-01-01T00:00:00.000Z until 1970-01-01T00:00:01.000Z",
        ],
      },
    ]);
  });

  it("tells an entry that was changed, and one that is gone, from one that is new", async () => {
    const home = proposingHome("remembered.json");
    const inForce = (id: string) => ruleInForce({ id });
    const [gone, fresh, kept] = [inForce("bcdefghj"), inForce("cdefghjk"), inForce("defghjkm")];
    await home.accept(rememberedText([rule, gone, kept]));
    home.write(rememberedText([{ ...rule, rule: "Bash(git push *)" }, fresh, kept]));
    const { changes, rewritten } = home.propose();
    expect(changes).toMatchObject([
      { sign: "-", line: null, effect: "tighter" },
      { sign: "~", text: "Bash(git push *)", effect: "unclear" },
      { sign: "+", effect: "looser" },
    ]);
    // Whoever wrote an entry could name anybody as the one who said yes.
    expect(JSON.parse(rewritten ?? "").permissions.remembered).toMatchObject([
      { id, via: "accept", client: "accept", assurance: null },
      { id: fresh.id, via: "accept", request: fresh.id },
      kept,
    ]);
  });
});
