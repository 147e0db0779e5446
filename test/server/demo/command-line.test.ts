import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it } from "vitest";
import { answeringLine } from "../../../src/server/demo/command-line.js";
import { tempDirectory } from "../../support/temp-home.js";

/** A directory for PATH in which `name` is a program, or a link to `target`. */
function binWith(name: string, target: string | null = null): string {
  const directory = join(tempDirectory(), "bin");
  mkdirSync(directory);
  const path = join(directory, name);
  if (target === null) writeFileSync(path, "#!/bin/sh\n");
  else symlinkSync(target, path);
  chmodSync(path, 0o755);
  return directory;
}

function installed(): { readonly program: string; readonly node: string } {
  const directory = tempDirectory();
  const files = { program: join(directory, "wisp.cjs"), node: join(directory, "node") };
  for (const file of Object.values(files)) writeFileSync(file, "#!/bin/sh\n", { mode: 0o755 });
  return files;
}

describe("the line to type in another terminal", () => {
  it("uses the short name only where that is this very program", () => {
    const files = installed();
    const path = binWith("wisp", files.program);
    expect(answeringLine("/tmp/h", "k7q2mx9d", { ...files, path })).toBe(
      "WISP_HOME=/tmp/h wisp approvals approve k7q2mx9d",
    );
    const other = [binWith("wisp"), path].join(delimiter);
    expect(answeringLine("/tmp/h", "k7q2mx9d", { ...files, path: other })).toBe(
      `WISP_HOME=/tmp/h ${files.node} ${files.program} approvals approve k7q2mx9d`,
    );
  });

  it("says node where that is the Node that runs, else its whole path", () => {
    const files = installed();
    const ours = binWith("node", files.node);
    const another = binWith("node");
    const line = (path: string): string => answeringLine("/tmp/h", "k7q2mx9d", { ...files, path });
    expect(line(ours)).toContain(` node ${files.program} `);
    expect(line([another, ours].join(delimiter))).toContain(` ${files.node} ${files.program} `);
    expect(line("")).toContain(` ${files.node} ${files.program} `);
    // A relative entry means another place in another terminal.
    expect(line([".", ours].join(delimiter))).toContain(` node ${files.program} `);
  });

  it("a shell reads back the home and every word", () => {
    const home = "/tmp/it's $HOME; `x`\\";
    const program = "/opt/a b/wisp.cjs";
    const line = answeringLine(home, "k7q2mx9d", { program, node: "/usr/bin/printenv", path: "" });
    // printenv prints the variable it is told, so the shell's own reading of the assignment comes back.
    const words = line.replace(` '${program}' approvals approve k7q2mx9d`, " WISP_HOME");
    expect(execFileSync("sh", ["-c", words], { encoding: "utf8" })).toBe(`${home}\n`);
    const echoed = line.replace("/usr/bin/printenv", "printf '%s|'");
    expect(execFileSync("sh", ["-c", echoed], { encoding: "utf8" })).toBe(
      `${program}|approvals|approve|k7q2mx9d|`,
    );
  });
});
