/** One directory for `~`, wherever it stands: in rules, in commands, in floors and for every face. */
import { execFileSync } from "node:child_process";
import { userInfo } from "node:os";
import { describe, expect, it } from "vitest";
import { homeDirectoryOf } from "../../../src/broker/system/home-directory.js";
import { smallEnvironment } from "../../../src/server/command/environment.js";

describe("the home directory", () => {
  it.each([{}, { HOME: "" }, { HOME: "rel" }, { HOME: "./x" }])("of %j is the account's", (environment) => {
    expect(homeDirectoryOf(environment)).toBe(userInfo().homedir);
    expect(homeDirectoryOf({ HOME: "/home/p" })).toBe("/home/p");
  });

  it.each([{}, { HOME: "" }, { HOME: "rel" }, { HOME: "/tmp" }])(
    "of %j is what a shell of a command means by ~ and by $HOME",
    (environment) => {
      const env = smallEnvironment({ ...environment, PATH: process.env.PATH });
      const said = execFileSync("/bin/bash", ["-c", "echo ~/x; echo $HOME/x"], { env, encoding: "utf8" });
      const meant = `${homeDirectoryOf(environment)}/x`;
      expect(said).toBe(`${meant}\n${meant}\n`);
    },
  );
});
