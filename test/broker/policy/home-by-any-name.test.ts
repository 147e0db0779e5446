/** The home of wisp is reached by a path as the system takes it, whatever stands in its names. */
import { lstatSync, mkdirSync, realpathSync, type Stats, symlinkSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { callLook } from "../../../src/broker/policy/call-look.js";
import { isBelow } from "../../../src/broker/policy/path-place.js";
import { reachesHome } from "../../../src/broker/policy/reaches-home.js";
import { acceptedHome, type PolicyHome } from "../../support/policy-home.js";

/** Every sign of ASCII that a name can hold. */
const signs = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCharCode(0x20 + index)).filter(
  (sign) => sign !== "/",
);
const names = [...signs.map((sign) => `a${sign}b`), "-n", "[x]", "a\nb", "a\tb", "é b"];

async function homeWithLinks(): Promise<PolicyHome> {
  const home = await acceptedHome({ allow: ["Bash", "mcp__u__read", "mcp__u__put"] });
  for (const name of names) symlinkSync(home.path, join(home.project, name));
  mkdirSync(join(home.homeDirectory, "My Docs"));
  mkdirSync(join(home.project, "node_modules/@types"), { recursive: true });
  return home;
}

const asks = { name: "ask", level: "dangerous" };

describe("the home of wisp", () => {
  it("is reached through a link of any name, by a program and by a tool", async () => {
    const home = await homeWithLinks();
    for (const name of names) {
      for (const word of [`${name}/keys`, `./${name}/keys`, `${home.project}/${name}/keys`]) {
        expect(home.argv("cat", word), word).toMatchObject(asks);
        expect(home.tool("mcp__u__read", { path: word }), word).toMatchObject(asks);
        expect(home.tool("mcp__u__put", { files: { [word]: "x" } }), word).toMatchObject(asks);
      }
      for (const word of [`--file=${name}/keys`, `-f${name}/keys`, `me@host:${name}/keys`])
        expect(home.argv("cat", word), word).toMatchObject(asks);
    }
    expect(home.argv("cat", "My Docs/keys", "a b")).toMatchObject(asks);
    expect(home.argv("cat", "c d/keys", "node_modules/@types/x")).toMatchObject({ name: "allow" });
  });

  it("is reached by names that go up again, whether or not what they go up from is there", async () => {
    const home = await homeWithLinks();
    const up = relative(join(home.project, "node_modules"), home.path);
    const paths = [
      `node_modules/@types/../${up}/keys`,
      `${home.homeDirectory}/My Docs/../home/keys`,
      `../My Docs/../home/keys`,
      `${home.homeDirectory}/x y/../home/keys`,
      `x:y/../../home/keys`,
    ];
    for (const path of paths) {
      expect(home.argv("base64", path), path).toMatchObject(asks);
      expect(home.argv("cp", "/etc/hostname", path), path).toMatchObject(asks);
      expect(home.tool("mcp__u__read", { path }), path).toMatchObject(asks);
    }
    expect(home.argv("base64", "../My Docs/../x y/keys")).toMatchObject({ name: "allow" });
  });

  it("is reached by the address of a file, however that is written", async () => {
    const home = await homeWithLinks();
    const encoded = home.path.replace(/ome$/, "%6fme");
    const addresses = [
      `file://${home.path}/keys`,
      `file://localhost${encoded}/keys`,
      `FILE:${encoded}/keys?x#y`,
      `file://${home.project}/a%20b/keys`,
    ];
    for (const address of addresses) {
      expect(home.argv("curl", address), address).toMatchObject(asks);
      expect(home.tool("mcp__u__read", { uri: address }), address).toMatchObject(asks);
    }
    const other = `file://${home.project}/a%20c/keys`;
    expect(home.argv("curl", other)).toMatchObject({ name: "allow" });
    const several = (count: number) => Array.from({ length: count }, (_, at) => `${other}${at}`);
    // Of more nobody has looked at the rest, however they are spread.
    expect(home.tool("mcp__u__read", { uris: several(64) })).toMatchObject({ name: "allow" });
    expect(home.tool("mcp__u__read", { uris: several(65) })).toMatchObject(asks);
    expect(home.tool("mcp__u__read", { uri: other.repeat(65) })).toMatchObject(asks);
  });

  it("is reached from a directory above it by what goes down", async () => {
    const home = await homeWithLinks();
    const lines = [
      ["git", "diff", "--no-index", "/dev/null", home.homeDirectory],
      ["ln", "-s", home.homeDirectory, "x"],
      ["python3", "-m", "zipfile", "-c", "x.zip", ".."],
      ["rclone", "copy", `${home.homeDirectory}/My Docs/..`, "x"],
    ];
    for (const words of lines) expect(home.argv(...words), words.join(" ")).toMatchObject(asks);
    expect(home.argv("git", "diff", "--stat")).toMatchObject({ name: "allow" });
  });

  test("wherever a word or a text leads into it by the system's own account", async () => {
    const home = await homeWithLinks();
    const part = fc.constantFrom(
      "..",
      ".",
      "a b",
      "a@b",
      "a=b",
      "[x]",
      "home",
      "project",
      "node_modules",
      "@types",
      "My Docs",
      "-n",
    );
    const path = fc
      .tuple(
        fc.constantFrom("", `${home.homeDirectory}/`, `${home.project}/`, "~/"),
        fc.array(part, { minLength: 1, maxLength: 6, size: "max" }),
      )
      .map(([start, parts]) => start + parts.join("/"));
    const leadsIn = (word: string): boolean => {
      try {
        return isBelow(realpathSync.native(resolve(home.project, word)), home.path);
      } catch {
        // Nothing is there.
        return false;
      }
    };
    let count = 0;
    fc.assert(
      fc.property(path, (word) => {
        if (!leadsIn(word)) return;
        count += 1;
        expect(home.argv("cat", word), word).toMatchObject(asks);
        expect(home.tool("mcp__u__read", { at: [{ path: word }] }), word).toMatchObject(asks);
      }),
      { numRuns: 2_000 },
    );
    expect(count).toBeGreaterThan(10);
  });
});

test("what is not there is looked for down to the first name that is missing, however many stand behind it", () => {
  let looks = 0;
  const counting = (path: string): Stats | undefined => {
    looks += 1;
    return lstatSync(path, { throwIfNoEntry: false });
  };
  const look = callLook(counting);
  const word = `/nowhere${"/a".repeat(1_800)}`;
  const guarded = { home: "/home/p/.wisp", homeDirectory: "/home/p" };
  const said = { texts: Array.from({ length: 50 }, (_, at) => `${word}${at}`), wholes: [`${word} x`] };
  expect(reachesHome(said, { directory: "/", look }, guarded)).toBe(false);
  // Is each of them a link? And what is above all of them is looked at once.
  expect(looks).toBeLessThan(60);
  looks = 0;
  expect(callLook(counting).real(`${word}/b`)).toBe(`${word}/b`);
  expect(looks).toBe(1);
  expect(reachesHome({ ...said, wholes: ["/home/p/x y/../.wisp"] }, { directory: "/", look }, guarded)).toBe(
    true,
  );
});
