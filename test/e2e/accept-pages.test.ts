/** The built `wisp accept` on a terminal that is too small for what it shows. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { homeAt } from "../../src/broker/channel/home.js";
import { sealedPath } from "../../src/broker/files/sealed.js";
import { acceptingHome, git } from "../support/accepting.js";
import { wispOn } from "../support/built.js";
import { ptyMissing, startInPty } from "../support/pty.js";
import { tempDirectory } from "../support/temp-home.js";

const status = ["git", "status"];
const others = Array.from({ length: 40 }, (_, index) => `Bash(tool${index})`);

/** A home in which more is to be accepted than 24 rows show, the person's own rule on the first page. */
function scene() {
  const path = join(tempDirectory(), "home");
  const made = acceptingHome(path);
  made.write("policy.json", { permissions: { allow: ["Bash(git status)", ...others] } });
  const accept = () =>
    startInPty(wispOn(homeAt(path, false), "accept"), {
      isApart: true,
      environment: { PATH: process.env.PATH, HOME: "/home/p", NO_COLOR: "1" },
    });
  const verdict = () => made.judge(status, { program: git }).name;
  return { path, accept, verdict };
}

it.skipIf(ptyMissing !== null)(
  "asks for each page, and no pasted line answers for a page that nobody saw",
  async () => {
    const { path, accept, verdict } = scene();
    const hasty = accept();
    await hasty.seen("Page 1 of 2. Enter for the next");
    expect(hasty.output()).toContain("policy.json: 41 looser");
    expect(hasty.output()).not.toContain("tool39");
    hasty.type("\naccept\naccept\n");
    await hasty.seen('Type "accept"');
    hasty.type("\n");
    expect(await hasty.ended).toBe(7);
    expect(existsSync(sealedPath(path, "policy.json"))).toBe(false);
    expect(verdict()).toBe("ask");

    const patient = accept();
    await patient.seen("Page 1 of 2. Enter for the next");
    patient.type("\n");
    await patient.seen('41 looser.\nType "accept"');
    expect(patient.output()).toContain("tool39");
    patient.type("accept\n");
    expect(await patient.ended).toBe(0);
    expect(verdict()).toBe("allow");
  },
);
