import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { smallEnvironment } from "../../../src/server/command/environment.js";
import { ofArgv, ofLine, runToEnd, writeProgram } from "../../support/commands.js";
import { tempDirectory } from "../../support/temp-home.js";

const hasGit = spawnSync("git", ["--version"]).status === 0;

describe("the environment of a command", () => {
  it("holds listed names only", () => {
    const listed = {
      PATH: "/bin",
      HOME: "/home/p",
      USER: "p",
      LOGNAME: "p",
      SHELL: "/bin/bash",
      LANG: "C",
      LANGUAGE: "en",
      LC_ALL: "C",
      LC_TIME: "C",
      TZ: "UTC",
      TMPDIR: "/tmp",
      SSH_AUTH_SOCK: "/s",
    };
    const others = {
      BASH_ENV: "/x",
      ENV: "/x",
      LD_PRELOAD: "/x",
      LD_LIBRARY_PATH: "/x",
      DYLD_INSERT_LIBRARIES: "/x",
      NODE_OPTIONS: "--require /x",
      NODE_PATH: "/x",
      PYTHONPATH: "/x",
      PERL5OPT: "-x",
      GIT_SSH_COMMAND: "x",
      GIT_CONFIG_GLOBAL: "/x",
      "BASH_FUNC_ls%%": "() { :; }",
      IFS: "x",
      PS4: "$(x)",
      SHELLOPTS: "xtrace",
      WISP_HOME: "/x",
      SECRET_TOKEN: "x",
      LC_: "x",
      XDG_CONFIG_HOME: "/x",
      XDG_DATA_HOME: "/x",
      XDG_CONFIG_DIRS: "/x",
      XDG_RUNTIME_DIR: "/x",
      path: "/x",
    };
    expect(smallEnvironment({ ...others, ...listed })).toEqual({
      ...listed,
      TERM: "dumb",
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
    });
  });

  it.runIf(hasGit)("moves no program's settings: what is planted there does not run", async () => {
    const root = tempDirectory();
    const [settings, home, work] = [join(root, "settings"), join(root, "home"), join(root, "work")];
    for (const path of [join(settings, "git"), home, work]) mkdirSync(path, { recursive: true });
    const proof = join(root, "ran");
    writeFileSync(join(settings, "git", "config"), `[core]\n\tfsmonitor = touch '${proof}'; :\n`);
    const planted = { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: settings };
    const small = smallEnvironment(planted);
    spawnSync("git", ["init", "--quiet", work], { env: small });
    const status = ofArgv(work, ["git", "status"]);
    expect(await runToEnd(status, { environment: small })).toMatchObject({ exitCode: 0 });
    expect(existsSync(proof)).toBe(false);
    // It would run where the name were passed on.
    await runToEnd(status, { environment: { ...small, XDG_CONFIG_HOME: settings } });
    expect(existsSync(proof)).toBe(true);
  });

  it("says that nobody pages or types, whatever the client's says", () => {
    const environment = smallEnvironment({
      TERM: "xterm",
      PAGER: "less",
      GIT_PAGER: "less",
      GIT_TERMINAL_PROMPT: "1",
    });
    expect(environment).toMatchObject({
      TERM: "dumb",
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_TERMINAL_PROMPT: "0",
    });
  });

  it("has a PATH even where the client has none", () => {
    expect(smallEnvironment({}).PATH).toBe("/usr/local/bin:/usr/bin:/bin");
    expect(smallEnvironment({ PATH: "" }).PATH).toBe("/usr/local/bin:/usr/bin:/bin");
    expect(smallEnvironment({ PATH: "/opt/bin" }).PATH).toBe("/opt/bin");
  });

  it("has in PATH only absolute entries, so that no file of the working directory is what a name means", async () => {
    expect(smallEnvironment({ PATH: ".::/opt/bin:bin:./x::~/bin:/bin:" }).PATH).toBe("/opt/bin:/bin");
    expect(smallEnvironment({ PATH: ".:bin:" }).PATH).toBe("/usr/local/bin:/usr/bin:/bin");
    const work = tempDirectory();
    writeProgram(work, "env", "#!/bin/sh\ntouch planted\n");
    for (const path of [`.:${process.env.PATH}`, `:${process.env.PATH}`]) {
      const environment = smallEnvironment({ ...process.env, PATH: path });
      const result = await runToEnd(ofLine(work, "env"), { environment });
      expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("PATH=/") });
      expect(existsSync(join(work, "planted"))).toBe(false);
    }
    await runToEnd(ofLine(work, "./env"));
    expect(existsSync(join(work, "planted"))).toBe(true);
  });
});
