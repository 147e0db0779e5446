import { describe, expect, it } from "vitest";
import { smallEnvironment } from "../../../src/server/command/environment.js";

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
      XDG_CONFIG_HOME: "/c",
      XDG_CACHE_HOME: "/d",
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
});
