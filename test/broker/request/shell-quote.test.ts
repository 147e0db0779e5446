import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { shellQuoted, singleQuoted } from "../../../src/broker/request/shell-quote.js";

const special = [
  "",
  " ",
  "~",
  "~/x",
  "a=b",
  "$HOME",
  "`id`",
  "it's",
  "'",
  "\\",
  "a\nb",
  "*",
  "#",
  "!",
  "{a,b}",
  "日本",
];

describe("a word for a shell", () => {
  it.each(["wisp", "/usr/bin/env", "a-b_c.d", "k:v", "user@host", "50%", "a+b,c"])(
    "%s stays as it is",
    (word) => {
      expect(shellQuoted(word)).toBe(word);
      expect(singleQuoted(word)).toBe(`'${word}'`);
    },
  );

  it.each(special)("%j stands in quotes", (word) => {
    expect(shellQuoted(word)).toBe(singleQuoted(word));
  });

  it("is taken by a shell as exactly that word", () => {
    for (const written of [shellQuoted, singleQuoted]) {
      const line = `printf '%s\\0' ${special.map(written).join(" ")}`;
      const { stdout } = spawnSync("sh", ["-c", line], { encoding: "utf8", env: { HOME: "/elsewhere" } });
      expect(stdout.split("\0").slice(0, -1)).toEqual(special);
    }
  });
});
