import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Home } from "../../../src/broker/channel/home.js";
import { closeToOthers, moveUnreadable } from "../../../src/broker/channel/repair.js";
import { approvalDraft } from "../../support/builders.js";
import { FakeClock } from "../../support/fake-clock.js";
import { madeHome, openAsker, openFace, tempDirectory, tempHome } from "../../support/temp-home.js";

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A home of ours in which nobody asked yet. */
function markedHome(): Home {
  const home = madeHome();
  writeFileSync(join(home.path, "format"), "wisp-broker 1\n", { mode: 0o600 });
  return home;
}

describe("closing directories", () => {
  it("takes the bits of group and others, and tells where", () => {
    const home = markedHome();
    chmodSync(home.path, 0o755);
    chmodSync(home.settled, 0o722);
    expect(closeToOthers(home)).toEqual([home.path, home.settled]);
    expect(modeOf(home.path)).toBe(0o700);
    expect(modeOf(home.settled)).toBe(0o700);
    expect(closeToOthers(home)).toEqual([]);
  });

  it("widens nothing: an owner's missing bit stays missing", () => {
    const home = markedHome();
    chmodSync(home.spool, 0o577);
    closeToOthers(home);
    expect(modeOf(home.spool)).toBe(0o500);
  });

  it("follows no link and touches no file", () => {
    const home = markedHome();
    const elsewhere = tempDirectory();
    chmodSync(elsewhere, 0o755);
    symlinkSync(elsewhere, join(home.path, "late"));
    writeFileSync(join(home.path, "config.json"), "{}");
    chmodSync(join(home.path, "config.json"), 0o644);
    expect(closeToOthers(home)).toEqual([]);
    expect(modeOf(elsewhere)).toBe(0o755);
    expect(modeOf(join(home.path, "config.json"))).toBe(0o644);
  });

  it("does not reach through a home that is a link", () => {
    const elsewhere = tempDirectory();
    writeFileSync(join(elsewhere, "format"), "wisp-broker 1\n", { mode: 0o600 });
    chmodSync(elsewhere, 0o755);
    const home = tempHome();
    symlinkSync(elsewhere, home.path);
    expect(closeToOthers(home)).toEqual([]);
    expect(modeOf(elsewhere)).toBe(0o755);
  });

  it.each([null, "other-program 1\n"])("leaves a directory without our marker as it is: %j", (marker) => {
    const home = madeHome();
    if (marker !== null) writeFileSync(join(home.path, "format"), marker, { mode: 0o600 });
    chmodSync(home.settled, 0o755);
    expect(closeToOthers(home)).toEqual([]);
    expect(modeOf(home.settled)).toBe(0o755);
  });

  it("makes nothing where there is no home", () => {
    const home = tempHome();
    expect(closeToOthers(home)).toEqual([]);
    expect(existsSync(home.path)).toBe(false);
  });
});

describe("moving away what is no request", () => {
  const clock = new FakeClock();
  const ago = (ms: number): Date => new Date(clock.now() - ms);

  function plant(home: Home, name: string, at: Date): void {
    const path = join(home.pending, name);
    writeFileSync(path, '{"a":1,"a":2}', { mode: 0o600 });
    utimesSync(path, at, at);
  }

  it("moves what is older than a minute, and nothing else", () => {
    const home = markedHome();
    const request = openAsker(home).channel.file(approvalDraft(), []);
    plant(home, "oldjunk2.request.json", ago(60_001));
    plant(home, "newjunk2.request.json", ago(60_000));
    mkdirSync(join(home.pending, "direcdir.request.json"));
    utimesSync(join(home.pending, "direcdir.request.json"), ago(70_000), ago(70_000));
    plant(home, "oldjunk2.answer.json", ago(70_000));
    writeFileSync(join(home.pending, "newernew.request.json"), '{"v":2,"id":"newernew"}', { mode: 0o600 });
    utimesSync(join(home.pending, "newernew.request.json"), ago(70_000), ago(70_000));
    const moved = moveUnreadable(home, openFace(home).pending(), clock);
    expect([...moved].sort()).toEqual(["direcdir.request.json", "oldjunk2.request.json"]);
    expect(readdirSync(home.rejected).sort()).toEqual(["1.direcdir.request.json", "1.oldjunk2.request.json"]);
    expect(readdirSync(home.pending).sort()).toEqual(
      [
        "newernew.request.json",
        "newjunk2.request.json",
        "oldjunk2.answer.json",
        `${request.id}.request.json`,
      ].sort(),
    );
  });

  it("keeps what was moved there before under the same name", () => {
    const home = markedHome();
    for (let round = 0; round < 2; round += 1) {
      plant(home, "oldjunk2.request.json", ago(70_000));
      moveUnreadable(home, openFace(home).pending(), clock);
    }
    expect(readdirSync(home.rejected).sort()).toEqual(["1.oldjunk2.request.json", "2.oldjunk2.request.json"]);
  });

  it("moves nothing into a directory that others can open, and does once it is closed", () => {
    const home = markedHome();
    plant(home, "oldjunk2.request.json", ago(70_000));
    chmodSync(home.rejected, 0o755);
    const listing = openFace(home).pending();
    expect(() => moveUnreadable(home, listing, clock)).toThrow(
      expect.objectContaining({ code: "channel_unsafe" }),
    );
    expect(readdirSync(home.rejected)).toEqual([]);
    chmodSync(home.rejected, 0o700);
    expect(moveUnreadable(home, listing, clock)).toEqual(["oldjunk2.request.json"]);
  });

  it("passes over what somebody else has moved in the meantime", () => {
    const home = markedHome();
    const listing = {
      requests: [],
      newer: [],
      unreadable: [{ name: "gonegone.request.json", reason: "not JSON" }],
    };
    expect(moveUnreadable(home, listing, clock)).toEqual([]);
  });
});
