/** What the project depends on, and how it is installed. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (name: string): string => readFileSync(join(root, name), "utf8");

type Versions = Readonly<Record<string, string>>;
interface LockedPackage {
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly resolved?: string;
}

const manifest = JSON.parse(read("package.json")) as { dependencies: Versions; devDependencies: Versions };
const lock = JSON.parse(read("package-lock.json")) as { packages: Readonly<Record<string, LockedPackage>> };
const direct = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
const locked = Object.entries(lock.packages).filter(([path]) => path !== "");
/** What is installed where somebody installs wisp. */
const shipped = locked.filter(([, entry]) => entry.dev !== true);

const pathsOf = (entries: typeof locked): string[] => entries.map(([path]) => path);

describe("dependencies", () => {
  it.each(direct)("%s is pinned to one version", (_name, version) => {
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it.each(direct)("%s %s has its line in ADR 0006", (name, version) => {
    expect(read("docs/adr/0006-dependencies.md")).toContain(`\n| \`${name}\` | ${version} | `);
  });

  it("ADR 0006 has no line for a package that is gone", () => {
    const lines = [...read("docs/adr/0006-dependencies.md").matchAll(/^\| `([^`]+)` \| \d/gm)];
    expect(lines.map((line) => line[1]).sort()).toEqual(direct.map(([name]) => name).sort());
  });

  it("no package that ships runs a script when it is installed", () => {
    expect(pathsOf(shipped)).toContain("node_modules/zod");
    expect(pathsOf(shipped.filter(([, entry]) => entry.hasInstallScript))).toEqual([]);
  });

  it("no package that ships is made for one kind of machine", () => {
    expect(pathsOf(shipped.filter(([, entry]) => entry.os ?? entry.cpu))).toEqual([]);
  });
});

describe("installing", () => {
  it("npm saves exact versions, runs no scripts and locks no address", () => {
    expect(read(".npmrc")).toBe(
      "save-exact=true\nignore-scripts=true\nomit-lockfile-registry-resolved=true\n",
    );
    expect(pathsOf(locked.filter(([, entry]) => entry.resolved !== undefined))).toEqual([]);
  });

  it("no file names a registry", () => {
    // In parts, so that this file does not name one either.
    const hosts = [
      ["registry", "npmjs"],
      ["registry", "yarnpkg"],
      ["registry", "npmmirror"],
      ["npm", "pkg", "github"],
    ].map((parts) => parts.join("."));
    const files = filesInGit();
    expect(files).toContain("package-lock.json");
    const naming = files.filter((name) => hosts.some((host) => read(name).toLowerCase().includes(host)));
    expect(naming).toEqual([]);
  });
});

/** What is committed or staged. A clone that belongs to somebody else is read as well as one's own. */
function filesInGit(): string[] {
  const listing = execFileSync("git", ["-c", "safe.directory=*", "ls-files", "-z"], {
    cwd: root,
    encoding: "utf8",
  });
  return listing.split("\0").filter((name) => name !== "");
}
