import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { failingAt } from "../../support/fs-faults.js";
import { memoryPins, PinShelf } from "../../support/memory-pins.js";
import { describePins, letThrough, pinnedIn } from "../../support/pins-contract.js";
import { PinsHome } from "../../support/pins-home.js";
import { tempDirectory } from "../../support/temp-home.js";

describePins("in memory", () => {
  const shelf = new PinShelf();
  return {
    pins: memoryPins(shelf),
    another: () => memoryPins(shelf),
    spoil: () => {
      shelf.distrust = "not JSON";
    },
    breakIt: () => {
      shelf.isBroken = true;
    },
    repair: () => {
      shelf.isBroken = false;
    },
    close: () => {},
  };
});

describePins("in a home", () => {
  const directory = mkdtempSync(join(tmpdir(), "wisp-test-"));
  const home = new PinsHome(join(directory, "home"));
  const gates = dirname(home.file);
  return {
    pins: home.open(),
    another: () => home.open(),
    spoil: () => home.write("{"),
    // A directory that is none cannot be written to, whoever asks.
    breakIt: () => {
      renameSync(gates, `${gates}.kept`);
      symlinkSync(`${gates}.kept`, gates);
    },
    repair: () => {
      unlinkSync(gates);
      renameSync(`${gates}.kept`, gates);
    },
    close: () => rmSync(directory, { recursive: true, force: true }),
  };
});

let home: PinsHome;
beforeEach(() => {
  home = new PinsHome(join(tempDirectory(), "home"));
});

const first = { server: "npx server", restored: false, write: "writes" };

/** What somebody can do to the file who may write everywhere but below `keys/`, and what is said of it. */
const spoilt: readonly (readonly [string, string, () => void | Promise<void>])[] = [
  ["edited", "its seal is not ours", () => home.write(home.text().replace('"writes"', '"writes!"'))],
  ["truncated", "not JSON", () => home.write(home.text().slice(0, -20))],
  ["emptied", "not JSON", () => home.write("")],
  ["taken away", "it is gone", () => unlinkSync(home.file)],
  ["taken away with its directory", "it is gone", () => rmSync(dirname(home.file), { recursive: true })],
  ["open to others", "open to others", () => chmodSync(home.file, 0o644)],
  ["replaced by a link", "symbolic link", () => linkedAway()],
  ["replaced by a directory", "not a regular file", () => replacedByDirectory()],
  [
    "given a key that is none of ours",
    "not as wisp writes it",
    () => home.write(home.text().replace("{", '{"more":1,')),
  ],
  ["that of another home", "its seal is not ours", async () => home.write(await textOf("elsewhere", "fs"))],
  ["that of another gate", "its seal is not ours", async () => home.write(await textOf("home", "git"))],
  ["too large", "too large", () => home.write(`{"v":"${"x".repeat(5 * 1024 * 1024)}"}`)],
];

function linkedAway(): void {
  renameSync(home.file, `${home.file}.kept`);
  symlinkSync(`${home.file}.kept`, home.file);
}

function replacedByDirectory(): void {
  unlinkSync(home.file);
  mkdirSync(home.file);
}

/** A good file of the gate `name` in a home beside ours, or in ours. */
async function textOf(homeName: string, name: string): Promise<string> {
  const other = new PinsHome(join(dirname(home.path), homeName), name);
  await other.open().pin(letThrough());
  return other.text();
}

describe("the pins of a gate", () => {
  it.each(spoilt)(
    "count for nothing when the file was %s, and that is said: %s",
    async (_, reason, spoil) => {
      const pins = home.open();
      await pins.pin(letThrough());
      expect(pinnedIn(pins)).toEqual(first);
      await spoil();
      expect(pins.current()).toEqual({ kind: "untrusted", reason });
      expect(home.open().current()).toEqual({ kind: "untrusted", reason });
      rmSync(home.file, { recursive: true, force: true });
      await pins.pin(letThrough());
      expect(pinnedIn(home.open())).toEqual({ ...first, restored: true });
    },
  );

  it("count for nothing when the file was rolled back to what it was", async () => {
    const pins = home.open();
    await pins.pin(letThrough({ text: "old" }));
    const old = home.text();
    await pins.pin(letThrough());
    home.write(old);
    expect(pins.current()).toEqual({ kind: "untrusted", reason: "it is an older one" });
    await pins.pin(letThrough());
    expect(pinnedIn(pins)).toEqual({ ...first, restored: true });
    home.write(old);
    expect(pins.current().kind).toBe("untrusted");
  });

  it("count for nothing while the number below keys/ is not as wisp left it", async () => {
    const pins = home.open();
    await pins.pin(letThrough());
    writeFileSync(home.head, "{}");
    expect(home.open().current().kind).toBe("untrusted");
    await pins.pin(letThrough());
    expect(pinnedIn(home.open())).toEqual({ ...first, restored: true });
  });

  it("are private files in private directories, and nothing of them is there before the first", async () => {
    const pins = home.open();
    expect(pins.current()).toEqual({ kind: "none" });
    expect(readdirSync(home.path)).toEqual([]);
    await pins.pin(letThrough());
    const modes = [home.file, home.head, dirname(home.file), dirname(home.head)].map(
      (path) => statSync(path).mode & 0o777,
    );
    expect(modes).toEqual([0o600, 0o600, 0o700, 0o700]);
    expect(readdirSync(dirname(home.head))).toEqual(["fs"]);
    expect(readdirSync(dirname(home.file))).toEqual(["fs.json"]);
  });

  it("of two names do not touch each other", async () => {
    await home.open().pin(letThrough());
    await home.open("git").pin(letThrough({ server: "uvx git" }));
    expect(pinnedIn(home.open())).toEqual(first);
    expect(pinnedIn(home.open("git"))).toEqual({ ...first, server: "uvx git" });
  });

  it("that would fill the file lose the texts of tools, and keep the hashes", async () => {
    const pins = home.open();
    const long = "x".repeat(1_500_000);
    for (const tool of ["a", "b", "c"]) await pins.pin(letThrough({ tool, text: `${long}${tool}` }));
    expect(pinnedIn(pins)).toEqual({ server: "npx server", restored: false, a: null, b: null, c: null });
    await pins.pin(letThrough({ tool: "a", text: "changed", by: "rule" }));
    const now = pins.current();
    expect(now.kind === "pinned" && now.gate.tools.get("a")?.hash).toBe(
      letThrough({ text: `${long}a` }).definition.hash,
    );
  });
});

describe("pinning while the disk fails", () => {
  it("leaves at each step the pins before or the new ones, and no trace that the next would trip over", async () => {
    const pins = home.open();
    await pins.pin(letThrough());
    const count = (
      await failingAt(home.path, 0, "ENOSPC", async () => pins.pin(letThrough({ text: "text 0" })))
    ).steps.length;
    expect(count).toBeGreaterThan(8);
    for (let step = 1; step <= count; step += 1) {
      const before = pinnedIn(home.open());
      const call = letThrough({ text: `text ${step}` });
      const { result } = await failingAt(home.path, step, "ENOSPC", () =>
        Promise.resolve(home.open().pin(call)).then(
          () => "pinned",
          (error: { code?: string }) => error.code,
        ),
      );
      expect(["pinned", "channel_unavailable"]).toContain(result);
      const after = pinnedIn(home.open());
      if (result === "pinned") expect(after).toEqual({ ...first, write: `text ${step}` });
      else expect([before, { ...first, write: `text ${step}` }]).toContainEqual(after);
      await home.open().pin(call);
      expect(pinnedIn(home.open())).toEqual({ ...first, write: `text ${step}` });
    }
    expect(existsSync(`${home.head}.lock`)).toBe(false);
  });
});
