import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { NotifySettings } from "../../../src/broker/config/settings.js";
import type { Desktop } from "../../../src/broker/notify/route.js";
import { checkBanners as checkOn } from "../../../src/cli/doctor/banners.js";
import { bannerPrograms } from "../../support/banner-programs.js";
import { tempDirectory } from "../../support/temp-home.js";

const wanted: NotifySettings = { enabled: true, command: null, perMinute: 5 };
const checkBanners = (settings: NotifySettings, desktop: Desktop, environment: Record<string, string>) =>
  checkOn(settings, { desktop, nodeNotifier }, environment);

function nodeNotifier(): string {
  throw new Error("not installed");
}

const bus = { DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" };

function having(...names: readonly string[]): { readonly PATH: string } {
  const programs = bannerPrograms(tempDirectory());
  for (const name of names) programs.add(name, "exit 1");
  return { PATH: programs.path };
}

describe("routes that are there", () => {
  it("are named in order, and no program is started", () => {
    const check = checkBanners(wanted, "mac", having("osascript", "terminal-notifier"));
    expect(check).toMatchObject({ name: "banners", status: "ok", fix: null });
    expect(check.detail).toMatch(/^terminal-notifier, then osascript/);
  });

  it("are followed by the person's own program", () => {
    const command = ["tell", "--key=secret"];
    const check = checkBanners({ ...wanted, command }, "freedesktop", {
      ...having("notify-send", "tell"),
      ...bus,
    });
    expect(check).toMatchObject({ status: "ok", detail: "notify-send, then tell (notify.command)" });
  });
});

describe("a machine without a route", () => {
  it("is worth knowing, with why and what brings one", () => {
    const check = checkBanners(wanted, "freedesktop", having());
    expect(check).toMatchObject({ status: "warn", fix: expect.stringContaining("libnotify-bin") });
    expect(check.detail).toContain("notify-send: not found in PATH");
    expect(checkBanners(wanted, "freedesktop", { ...having("notify-send"), ...bus }).status).toBe("ok");
  });

  it("is fine where the person's own program is there, or wants no banners", () => {
    expect(checkBanners({ ...wanted, command: ["tell"] }, "freedesktop", having("tell")).status).toBe("ok");
    expect(checkBanners({ ...wanted, enabled: false }, "freedesktop", having("notify-send"))).toMatchObject({
      status: "ok",
      detail: "none; switched off on the desktop (notify.enabled)",
    });
  });
});

it("a program of the person's that is not there is said, and its words are not", () => {
  const command = ["tell\u001b", "--key=secret"];
  const check = checkBanners({ ...wanted, command }, "freedesktop", { ...having("notify-send"), ...bus });
  expect(check).toMatchObject({
    status: "warn",
    detail: "notify-send; not found: tell\\u{1b} (notify.command)",
  });
});

describe("a place where banners are not seen is named", () => {
  it.each([
    ["freedesktop", { ...bus, SSH_CONNECTION: "192.0.2.1 50000 192.0.2.2 22" }, "over ssh"],
    ["freedesktop", { ...bus, SSH_TTY: "/dev/pts/1" }, "over ssh"],
    ["mac", { TMUX: "/tmp/tmux-501/default,1,0" }, "within tmux"],
    ["windows", { WSL_DISTRO_NAME: "Debian" }, "must be executable"],
    ["freedesktop", {}, "no session bus"],
  ] as const)("on %s with %j", (desktop, environment, says) => {
    const path = having("notify-send", "osascript");
    const check = checkBanners(wanted, desktop, { ...path, ...environment, WISP_HOME: "/h" });
    expect(check).toMatchObject({ status: "warn", fix: "WISP_HOME=/h wisp doctor --ping" });
    expect(check.detail).toContain(says);
  });

  it("and a session bus is also known by its place", () => {
    const runtime = tempDirectory();
    const environment = { ...having("notify-send"), XDG_RUNTIME_DIR: runtime };
    expect(checkBanners(wanted, "freedesktop", environment).status).toBe("warn");
    mkdirSync(runtime, { recursive: true });
    writeFileSync(join(runtime, "bus"), "");
    expect(checkBanners(wanted, "freedesktop", environment).status).toBe("ok");
  });
});
