import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { bannerEnvironment, findProgram } from "../../../src/broker/notify/surroundings.js";
import { writeProgram } from "../../support/commands.js";
import { tempDirectory } from "../../support/temp-home.js";

let directory: string;
beforeEach(() => {
  directory = tempDirectory();
});

it("a program sees what leads to the desktop, and none of a server's keys", () => {
  const desktop = {
    DISPLAY: ":0",
    WAYLAND_DISPLAY: "wayland-0",
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/bus",
    XDG_RUNTIME_DIR: "/run",
    HOME: "/home/p",
    LANG: "C.UTF-8",
    WSL_INTEROP: "/run/WSL/1_interop",
    WSL_DISTRO_NAME: "Debian",
  };
  const others = { API_KEY: "x", NODE_OPTIONS: "--require /x", LD_PRELOAD: "/x", BASH_ENV: "/x", DEBUG: "*" };
  expect(bannerEnvironment({ ...desktop, ...others, PATH: "/usr/bin:.:/bin::bin" })).toEqual({
    ...desktop,
    PATH: "/usr/bin:/bin",
  });
});

it("what is not set, or empty, stays away", () => {
  expect(bannerEnvironment({ DISPLAY: "", HOME: undefined })).toEqual({ PATH: "" });
});

it("a program is the first file of its name in PATH that can be executed", () => {
  const [first, second] = ["first", "second"].map((name) => join(directory, name)) as [string, string];
  mkdirSync(join(first, "notify-send"), { recursive: true });
  mkdirSync(second);
  const path = writeProgram(second, "notify-send", "#!/bin/sh\n");
  expect(findProgram("notify-send", { PATH: `${first}:${second}` })).toBe(path);
  writeFileSync(join(second, "text"), "", { mode: 0o644 });
  expect(findProgram("text", { PATH: second })).toBeNull();
  symlinkSync(path, join(second, "link"));
  expect(findProgram("link", { PATH: second })).toBe(join(second, "link"));
});

it("a program that an agent puts into the working directory is never meant", () => {
  const path = writeProgram(directory, "notify-send", "#!/bin/sh\n");
  const here = relative(process.cwd(), directory);
  for (const PATH of [here, `./${here}`, "", ":", "."]) {
    expect(findProgram("notify-send", { PATH })).toBeNull();
  }
  for (const name of [join(here, "notify-send"), `./${here}/notify-send`, "", directory]) {
    expect(findProgram(name, { PATH: "/" })).toBeNull();
  }
  expect(findProgram("notify-send", {})).toBeNull();
  expect(findProgram("notify-send", { PATH: `.:${directory}` })).toBe(path);
  expect(findProgram(path, {})).toBe(path);
});
