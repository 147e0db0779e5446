import { copyFileSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealedPath, writeAccepted } from "../../../src/broker/files/sealed.js";
import { openRememberedRules } from "../../../src/broker/policy/remembered-store.js";
import { WispError } from "../../../src/broker/request/errors.js";
import { FakeClock } from "../../support/fake-clock.js";
import { dayMs, ruleDraft } from "../../support/remembered.js";
import { RememberedHome, rememberedOptions } from "../../support/remembered-home.js";
import { tempDirectory } from "../../support/temp-home.js";

async function keptHome() {
  const home = new RememberedHome(join(tempDirectory(), "home"));
  const rules = home.open();
  const kept = await rules.remember(ruleDraft(home.clock.now()));
  return { home, rules, kept, good: home.text() };
}

const file = (...rules: readonly unknown[]) => JSON.stringify({ permissions: { remembered: rules } });

/** Gives the same bytes eight times each. */
class RepeatingClock extends FakeClock {
  #asked = 0;

  override randomBytes(size: number): Uint8Array {
    this.#asked += 1;
    return new Uint8Array(size).fill(this.#asked >> 3);
  }
}

type Kept = Awaited<ReturnType<typeof keptHome>>;

describe("a remembered.json that somebody else wrote", () => {
  it.each<[string, (made: Kept) => void, RegExp]>([
    [
      "a link to one that is good",
      ({ home, good }) => {
        writeFileSync(join(home.path, "copy.json"), good, { mode: 0o600 });
        rmSync(home.file);
        symlinkSync(join(home.path, "copy.json"), home.file);
      },
      /^symbolic link$/,
    ],
    [
      "a directory",
      ({ home }) => {
        rmSync(home.file);
        mkdirSync(home.file);
      },
      /^not a regular file$/,
    ],
    [
      "open to others",
      ({ home, good }) => {
        rmSync(home.file);
        writeFileSync(home.file, good, { mode: 0o644 });
      },
      /^open to others$/,
    ],
    [
      "half written",
      ({ home, good }) => home.write(good.slice(0, good.length / 2)),
      /^(?:remembered.json:[0-9]+: )?not JSON$/,
    ],
    ["empty", ({ home }) => home.write(""), /^(?:remembered.json:[0-9]+: )?not JSON$/],
    ["longer than any", ({ home, good }) => home.write(`${good}${" ".repeat(1024 * 1024)}`), /^too large$/],
    [
      "with a comment",
      ({ home, good }) => home.write(`// mine\n${good}`),
      /^(?:remembered.json:[0-9]+: )?not JSON$/,
    ],
    [
      "with a key twice",
      ({ home, good }) => home.write(good.replace('"scope"', '"rule": "x", "scope"')),
      /^remembered.json:[0-9]+: duplicate key$/,
    ],
    [
      "with an unknown key",
      ({ home, kept }) => home.write(file({ ...kept, unless: [] })),
      /permissions\.remembered\.0\.unless is no key$/,
    ],
    [
      "with another list",
      ({ home }) => home.write('{"permissions":{"remembered":[],"allow":["Bash"]}}'),
      /permissions\.allow is no key$/,
    ],
    [
      "with one id twice",
      ({ home, kept }) => home.write(file(kept, { ...kept, rule: "Bash(*)" })),
      /two rules are called/,
    ],
    [
      "with a directory for always",
      ({ home, kept }) => home.write(file({ ...kept, scope: "always" })),
      /directory does not fit scope$/,
    ],
    [
      "with a relative directory",
      ({ home, kept }) => home.write(file({ ...kept, directory: "api" })),
      /directory is not an absolute path$/,
    ],
    [
      "with a relative program",
      ({ home, kept }) => home.write(file({ ...kept, program: "git" })),
      /program is not an absolute path$/,
    ],
    [
      "with a rule of no text",
      ({ home, kept }) => home.write(file({ ...kept, rule: "" })),
      /: rule is empty$/,
    ],
    ["with no object", ({ home }) => home.write("[]"), /^the file is not as wisp writes it$/],
    [
      "with an entry that is none",
      ({ home }) => home.write(file(7)),
      /remembered\.0 is not as wisp writes it$/,
    ],
    [
      "with an id that is no text",
      ({ home, kept }) => home.write(file({ ...kept, id: 7 })),
      /^permissions\.remembered\.0\.id is not as wisp writes it$/,
    ],
    [
      "with an id that is written otherwise",
      ({ home, kept }) =>
        home.write(
          file({ ...kept, rule: "" }).replace(
            `"${kept.id}"`,
            `"\\u00${kept.id.charCodeAt(0).toString(16)}${kept.id.slice(1)}"`,
          ),
        ),
      /^[a-z0-9]+: rule is empty$/,
    ],
    [
      "with an id that is a path",
      ({ home, kept }) => home.write(file({ ...kept, id: "../../x" })),
      /remembered\.0\.id is not as wisp writes it$/,
    ],
    [
      "with more rules than are kept",
      ({ home, kept }) =>
        home.write(
          file(...Array.from({ length: 1_001 }, (_, index) => ({ ...kept, id: `aaaa${1_000 + index}` }))),
        ),
      /more than 1000 rules|too large/,
    ],
  ])(
    "%s holds no rule, is told of, and is left alone; the good one counts again",
    async (_name, spoil, fault) => {
      const made = await keptHome();
      spoil(made);
      const { home, rules, kept, good } = made;
      expect(rules.list()).toEqual({
        rules: [],
        over: [],
        unaccepted: [],
        fault: expect.stringMatching(fault),
        distrust: null,
      });
      await expect(rules.remember(ruleDraft(home.clock.now()))).rejects.toMatchObject({
        code: "policy_invalid",
      });
      rmSync(home.file, { recursive: true });
      home.write(good);
      expect(rules.list().rules).toEqual([kept]);
    },
  );

  it("names the line of the entry that is wrong", async () => {
    const { home, rules, kept } = await keptHome();
    home.write(JSON.stringify({ permissions: { remembered: [{ ...kept, directory: "api" }] } }, null, 2));
    expect(rules.list().fault).toBe(`remembered.json:5: ${kept.id}: directory is not an absolute path`);
  });

  it("that has a second name counts: its text is what was sealed", async () => {
    const { home, rules, kept } = await keptHome();
    linkSync(home.file, join(home.path, "second.json"));
    expect(rules.list().rules).toEqual([kept]);
  });
});

describe("a file of remembered rules", () => {
  const rules = (count: number, more: object) =>
    Array.from({ length: count }, (_, index) => ({ id: `aaaa${2_000 + index}`, ...ruleDraft(0, more) }));

  it.each<[what: string, full: readonly object[], more: Parameters<typeof ruleDraft>[1], why: RegExp]>([
    ["as many rules as are kept", rules(1_000, { rule: "Bash(a)" }), {}, /more than 1000 rules/],
    [
      "as many bytes as are read",
      rules(60, { rule: "x".repeat(16_000) }),
      { rule: "x".repeat(100_000) },
      /too large/,
    ],
  ])("that holds %s takes no more, and stays as it is", async (_what, full, more, why) => {
    const { home, rules } = await keptHome();
    home.write(file(...full));
    const before = home.text();
    const refused = { code: "policy_invalid", message: expect.stringMatching(why) };
    await expect(rules.remember(ruleDraft(home.clock.now(), more))).rejects.toMatchObject(refused);
    expect(home.text()).toBe(before);
    home.edit((all) => all.slice(1));
    expect(await rules.remember(ruleDraft(home.clock.now()))).toMatchObject({
      rule: "Bash(git push origin main)",
    });
  });

  it("gives each rule an id of its own, whatever chance gives", async () => {
    const { home } = await keptHome();
    const store = home.open(new RepeatingClock());
    const ids = [];
    for (let index = 0; index < 4; index += 1) ids.push((await store.remember(ruleDraft(0))).id);
    expect(new Set(ids).size).toBe(4);
  });

  it("is cleared away by one process where two find something to clear away at once", async () => {
    const { home, rules, kept } = await keptHome();
    home.clock.advance(31 * dayMs);
    const cleared = await Promise.all([rules.expire(), home.open().expire(), home.open().expire()]);
    expect(cleared.flat()).toEqual([{ rule: kept, why: "expired" }]);
    expect(rules.list()).toMatchObject({ rules: [], over: [], fault: null });
  });
});

describe("a sealed copy of remembered rules", () => {
  it("that holds no rules seals nothing; a new one counts", async () => {
    const { home, rules, kept } = await keptHome();
    const options = rememberedOptions(home.path, home.clock);
    for (const value of ["[]", { rules: [] }]) {
      await writeAccepted(options, "remembered.json", value, options.keys);
      expect(rules.list()).toMatchObject({ rules: [], unaccepted: [kept.rule], fault: null });
    }
    const next = await rules.remember(ruleDraft(home.clock.now(), { rule: "Bash(ls)" }));
    expect(rules.list()).toMatchObject({ rules: [next], unaccepted: [kept.rule] });
  });

  it.each<[string, (made: Kept) => void]>([
    ["removed", ({ home }) => rmSync(home.seal)],
    [
      "edited",
      ({ home }) => writeFileSync(home.seal, readFileSync(home.seal, "utf8").replace("main", "dev")),
    ],
    [
      "of another file",
      ({ home }) => {
        const policy = sealedPath(home.path, "policy.json");
        copyFileSync(home.seal, policy);
        writeFileSync(home.seal, readFileSync(policy, "utf8").replace('"remembered.json"', '"policy.json"'));
      },
    ],
    [
      "a link",
      ({ home }) => {
        copyFileSync(home.seal, `${home.seal}.2`);
        rmSync(home.seal);
        symlinkSync(`${home.seal}.2`, home.seal);
      },
    ],
  ])("that was %s seals nothing: its rules are told of and ask; a new one counts", async (_name, spoil) => {
    const made = await keptHome();
    spoil(made);
    const { home, rules, kept } = made;
    const distrust = expect.stringMatching(/./);
    expect(rules.list()).toEqual({ rules: [], over: [], unaccepted: [kept.rule], fault: null, distrust });
    const next = await rules.remember(ruleDraft(home.clock.now(), { rule: "Bash(ls)" }));
    const whole = { over: [], unaccepted: [kept.rule], fault: null, distrust: null };
    expect(rules.list()).toEqual({ rules: [next], ...whole });
  });

  it("of another home seals nothing here", async () => {
    const [here, there] = [await keptHome(), await keptHome()];
    here.home.write(there.good);
    copyFileSync(there.home.seal, here.home.seal);
    const nothing = { rules: [], over: [], unaccepted: [there.kept.rule], fault: null };
    expect(here.rules.list()).toEqual({ ...nothing, distrust: "its seal is not ours" });
    expect(there.rules.list().rules).toEqual([there.kept]);
  });
});

it("a rule whose file could not be written leaves no seal: written there by hand, it is not in force", async () => {
  const { home, kept } = await keptHome();
  const options = rememberedOptions(home.path, home.clock);
  const sealedText = (): string => JSON.parse(JSON.parse(readFileSync(home.seal, "utf8")).value) as string;
  let shown = "";
  const failing = openRememberedRules({
    ...options,
    // Sealed it is, and then the disk is full.
    ensureHome() {
      if (shown !== "" || !sealedText().includes("Bash(ls)")) return home.path;
      shown = sealedText();
      throw new WispError("channel_unavailable", "The disk is full.");
    },
  });
  const draft = ruleDraft(home.clock.now(), { rule: "Bash(ls)" });
  await expect(failing.remember(draft)).rejects.toMatchObject({ code: "channel_unavailable" });
  expect(shown).toContain("Bash(ls)");
  home.write(shown);
  expect(failing.list()).toMatchObject({ rules: [kept], unaccepted: ["Bash(ls)"] });
  home.edit(() => [kept]);
  const next = await failing.remember(draft);
  expect(failing.list().rules).toEqual(expect.arrayContaining([kept, next]));
});
