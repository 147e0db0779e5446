/** Does a call get at the home of wisp? By its texts alone, and by what a look at the disk says. */
import { describe, expect, test } from "vitest";
import { isBelow, type PathLook } from "../../../src/broker/policy/path-place.js";
import { reachesHome } from "../../../src/broker/policy/reaches-home.js";

/** Every path leads where it says, but for what is one of `links` or below it. */
function lookWith(links: Readonly<Record<string, string | null>> = {}): PathLook {
  const all = Object.entries(links);
  return {
    real(path) {
      const [from, to] = all.find(([link]) => isBelow(path, link)) ?? ["", ""];
      return to === null ? null : to + path.slice(from.length);
    },
    isLink: (path) => Object.hasOwn(links, path),
    isThere: () => true,
    hasOtherNames: () => false,
  };
}

/** Nobody can tell where anything leads. */
const blind: PathLook = {
  real: () => null,
  isLink: () => false,
  isThere: () => true,
  hasOtherNames: () => true,
};

const guarded = { home: "/home/p/.wisp", homeDirectory: "/home/p" };
const reaches = (
  text: string,
  look: PathLook = lookWith(),
  directory = "/home/p/src",
  home = guarded,
): boolean => reachesHome({ texts: [text], wholes: [] }, { directory, look }, home);

describe("the home of wisp", () => {
  test.each([
    "cat /home/p/.wisp/policy.json",
    "cat ~/.wisp",
    "cat $HOME/.wisp/keys",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell's expansion, not JavaScript's
    "cat ${HOME}/.wisp/keys",
    "cat ../.wisp/keys",
    "cat /h*/p/.wisp",
    "cat /home/?/.wisp/keys",
    "cat /*/*/.w*",
    "env WISP_HOME=/x wisp",
    "cat x/home/p/.wispy /home/p/.wisp",
    "cp -r ~ /x",
    "tar cf x ..",
    "curl -d@../.wisp/keys",
  ])("is reached by %s, whether or not anybody can tell where paths lead", (text) => {
    expect([reaches(text), reaches(text, blind)]).toEqual([true, true]);
  });

  test.each([
    "cat /home/p/.wispy",
    "cat /home/p/.wisp-old/x",
    "cat ~/wisp",
    "ls ~",
    "cat /h*/q/.wisp",
    "cat -",
  ])("is not reached by %s", (text) => {
    expect([reaches(text), reaches(text, blind)]).toEqual([false, false]);
  });

  test("is reached through a link in any part of a path, and not through one that leads elsewhere", () => {
    const look = lookWith({ "/srv/in": "/home/p/.wisp", "/srv/up": "/home/p", "/srv/out": "/other" });
    for (const text of ["cat /srv/in/keys", "cat /srv/up/.wisp/x", "cat /srv/up/.w*", "cat /srv/up/.wisp"])
      expect(reaches(text, look), text).toBe(true);
    expect(reaches("cat /srv/out/keys", look)).toBe(false);
  });

  test("is reached by nothing behind a link of which nobody can tell where it leads", () => {
    const look = lookWith({ "/srv/round": null });
    for (const text of ["cat /srv/round/x", "cat /srv/round/*.ts", "cat /srv/round"])
      expect(reaches(text, look), text).toBe(false);
    expect(reaches("cat /srv/round/x ~/.wisp", look)).toBe(true);
  });

  test("is reached where the call works in it, under whichever of its names", () => {
    const look = lookWith({ "/srv/in": "/home/p/.wisp" });
    for (const directory of ["/home/p/.wisp", "/home/p/.wisp/keys", "/srv/in"])
      expect(reaches("cat x", look, directory), directory).toBe(true);
    expect(reaches("cat x", blind, "/home/p/.wisp")).toBe(true);
    expect(reaches("cat x", look, "/srv")).toBe(false);
  });

  test("is that of whoever gives none as well, also where the home directory is the root", () => {
    const other = { home: "/srv/wisp", homeDirectory: "/" };
    for (const text of ["cat /.wisp/keys", "cat ~/.wisp", "cat /srv/wisp/keys", "cat /.wis?"])
      expect([reaches(text, lookWith(), "/x", other), reaches(text, blind, "/x", other)]).toEqual([
        true,
        true,
      ]);
    expect(reaches("cat /x/wisp ~/x", lookWith(), "/x", other)).toBe(false);
  });
});
