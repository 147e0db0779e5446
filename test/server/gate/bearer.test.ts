/** The token for an address: read from where it is kept, and told to nobody. */
import { chmodSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBearer } from "../../../src/server/gate/bearer.js";
import { readGateArguments } from "../../../src/server/gate/gate-arguments.js";
import { tempDirectory } from "../../support/temp-home.js";

const token = "s3cret.token-_~+/=";
const good = { kind: "token", token };

function written(name: string, text: string, mode = 0o600): string {
  const path = join(tempDirectory(), name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

const fromFile = (path: string) => readBearer({ kind: "file", path }, {}, "/nowhere");
const fromEnvironment = (value: string | undefined) =>
  readBearer({ kind: "environment", name: "TOKEN" }, { TOKEN: value }, "/nowhere");

describe("a bearer token", () => {
  it("is read from a variable, and from a file of the person's own, whose last newline is none of it", () => {
    expect(fromEnvironment(token)).toEqual(good);
    expect(fromFile(written("t", token))).toEqual(good);
    expect(fromFile(written("t", `${token}\r\n`))).toEqual(good);
  });

  it.each([undefined, "", "two words", "end\r\nX-Other: 1", "ümlaut", `${token}\n`])(
    "is none in a variable that holds %j, and what it holds is not said",
    (value) => {
      const read = fromEnvironment(value);
      expect(read).toMatchObject({ kind: "wrong", why: expect.stringContaining("the variable TOKEN") });
      if (value !== undefined && value !== "") expect(JSON.stringify(read)).not.toContain(value.slice(0, 3));
      expect(fromEnvironment(token)).toEqual(good);
    },
  );

  it("is taken from no file that others can read, no link, and none that is missing or too long", () => {
    const open = written("open", token, 0o644);
    const kept = written("kept", token);
    const link = join(tempDirectory(), "link");
    symlinkSync(kept, link);
    const long = written("long", "x".repeat(16 * 1024 + 1));
    for (const path of [open, link, long, join(tempDirectory(), "missing")]) {
      expect(fromFile(path).kind).toBe("wrong");
      expect(JSON.stringify(fromFile(path))).not.toContain(token.slice(0, 6));
    }
    expect(fromFile(kept)).toEqual(good);
  });
});

describe("where it is kept", () => {
  const read = (...argv: string[]) => readGateArguments(["--name", "x", ...argv], []);
  const url = ["--url", "https://mcp.example/"];

  it("is named in the arguments, for an address alone", () => {
    expect(read(...url, "--bearer-env", "GH_TOKEN")).toMatchObject({
      bearer: { kind: "environment", name: "GH_TOKEN" },
    });
    expect(read(...url, "--bearer-file=/p/token")).toMatchObject({
      bearer: { kind: "file", path: "/p/token" },
    });
    expect(read(...url)).toMatchObject({ bearer: null });
  });

  it.each([
    [["--bearer-env", "T", "--", "server"], "is for --url"],
    [[...url, "--bearer-env", "T", "--bearer-file", "f"], "either --bearer-env or --bearer-file"],
    [["--url", "https://a:b@mcp.example/", "--bearer-env", "T"], "a name and a password"],
    [[...url, "--bearer-env", "ghp_x.y"], "never the token"],
  ])("is refused in %j", (argv, why) => {
    const said = read(...argv);
    expect(said).toContain(why);
    expect(said).not.toContain("ghp_x.y");
    expect(read(...url, "--bearer-env", "T")).toMatchObject({ bearer: { name: "T" } });
  });
});
