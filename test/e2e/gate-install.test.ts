/** A person puts a gate into a client's file and takes it out again, with the built command; an agent's shell cannot. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { homeAt } from "../../src/broker/channel/home.js";
import { runBare, wispOn } from "../support/built.js";
import { clientFileCorpus } from "../support/client-files.js";
import { ptyMissing, startInPty } from "../support/pty.js";
import { tempDirectory } from "../support/temp-home.js";

const files = clientFileCorpus.filter(({ path }) =>
  [".claude.json", "config.toml"].includes(path.at(-1) ?? ""),
);

describe("wisp gate install and uninstall", () => {
  it.skipIf(ptyMissing !== null).each(files)("change $title and give it back, to the byte", async (file) => {
    const directory = tempDirectory();
    const home = homeAt(join(directory, "home"), false);
    const path = join(directory, ...file.path);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, file.text);
    const [name = ""] = file.entries;
    const bare = await runBare(["env", `HOME=${directory}`, ...wispOn(home, "gate", "install", name)], {
      cwd: directory,
    });
    expect(bare.exit).toBe(4);
    expect(bare.out).toContain('"gate"');
    expect(readFileSync(path, "utf8")).toBe(file.text);
    for (const verb of ["install", "uninstall"]) {
      const words = ["env", `HOME=${directory}`, ...wispOn(home, "gate", verb, name)];
      const typing = startInPty(words, { isApart: true, directory });
      await typing.seen("Type y");
      typing.type("y\n");
      expect(await typing.ended, typing.output()).toBe(0);
      if (verb === "install") expect(readFileSync(path, "utf8")).toContain('"gate"');
    }
    expect(readFileSync(path, "utf8")).toBe(file.text);
  });
});
