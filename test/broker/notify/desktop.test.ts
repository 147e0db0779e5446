import { beforeEach, describe, expect, it } from "vitest";
import { createDesktopNotifier, type DesktopOptions } from "../../../src/broker/notify/desktop.js";
import { createLaunch, type LaunchEnding, type Program } from "../../../src/broker/notify/launch.js";
import { type Desktop, desktopOf } from "../../../src/broker/notify/route.js";
import { type BannerPrograms, bannerPrograms } from "../../support/banner-programs.js";
import { startListener } from "../../support/commands.js";
import { FakeClock } from "../../support/fake-clock.js";
import { never, testBanner } from "../../support/notifier-contract.js";
import { tempDirectory } from "../../support/temp-home.js";

let programs: BannerPrograms;
let clock: FakeClock;
beforeEach(() => {
  programs = bannerPrograms(tempDirectory());
  clock = new FakeClock();
});

function notInstalled(): never {
  throw new Error("not installed");
}

function notifier(desktop: Desktop, overrides: Partial<DesktopOptions> = {}) {
  return createDesktopNotifier({
    clock,
    launch: createLaunch(clock),
    desktop,
    environment: { PATH: programs.path, API_KEY: "x" },
    nodeNotifier: notInstalled,
    ...overrides,
  });
}

const missing = (route: string) => ({ route, why: "not found in PATH" });
const shellOnly = { route: "node-notifier", why: "here it can only start notify-send, and through a shell" };

describe("routes", () => {
  it.each([
    ["darwin", "24.0.0", "mac"],
    ["linux", "6.1.0-28-amd64", "freedesktop"],
    ["linux", "5.15.167.4-microsoft-standard-WSL2", "windows"],
    ["linux", "4.4.0-19041-Microsoft", "windows"],
    ["win32", "10.0.26100", "windows"],
    ["freebsd", "14.1-RELEASE", "freedesktop"],
  ] as const)("on %s %s are those of %s", (platform, release, desktop) => {
    expect(desktopOf(platform, release)).toBe(desktop);
  });

  it.each([
    [
      "mac",
      [missing("terminal-notifier"), missing("osascript"), { route: "node-notifier", why: "not installed" }],
    ],
    ["windows", [missing("notify-send"), { route: "node-notifier", why: "not installed" }]],
    ["freedesktop", [missing("notify-send"), shellOnly]],
  ] as const)(
    "on %s are tried in order, and with none of them the receipt lists them all",
    async (desktop, skipped) => {
      const receipt = await notifier(desktop).post(testBanner(), never);
      expect(receipt).toMatchObject({ outcome: "failed", route: null, skipped });
    },
  );

  it("end with the first that works", async () => {
    programs.addRecorder("terminal-notifier");
    programs.addRecorder("osascript");
    const receipt = await notifier("mac").post(testBanner(), never);
    expect(receipt).toMatchObject({ outcome: "posted", route: "terminal-notifier", skipped: [] });
    expect(programs.words()).toHaveLength(1);
  });

  it("are looked for anew for each banner: what is installed later is found", async () => {
    const desktop = notifier("freedesktop");
    expect(await desktop.post(testBanner(), never)).toMatchObject({ outcome: "failed" });
    programs.addRecorder("notify-send");
    expect(await desktop.post(testBanner(), never)).toMatchObject({ outcome: "posted" });
  });
});

describe("a route that does not work", () => {
  it.each([
    ["exits with 1", "exit 1", "ended with 1"],
    ["says why it fails", "echo 'no \u0007bus' >&2; echo more >&2; exit 1", "ended with 1: no \\u{7}bus"],
    ["says why where nobody expects it", "echo 'no bus'; exit 2", "ended with 2: no bus"],
    ["prints rubbish and ends well", "echo 'Usage: x'", "printed what it does not print: Usage: x"],
    ["dies", "kill -SEGV $$", "was ended by SIGSEGV"],
    ["is no program", "exec /nowhere/x", /^ended with 12[67]/],
  ])("because it %s is passed over for the next, and the receipt says why", async (_what, text, why) => {
    for (const name of ["terminal-notifier", "notify-send"]) programs.add(name, text);
    programs.addRecorder("osascript");
    const said = { why: typeof why === "string" ? why : expect.stringMatching(why) };
    const receipt = await notifier("mac").post(testBanner(), never);
    expect(receipt).toMatchObject({ outcome: "posted", route: "osascript" });
    expect(receipt.skipped).toEqual([{ route: "terminal-notifier", ...said }]);
    const other = await notifier("freedesktop").post(testBanner(), never);
    expect(other).toMatchObject({ outcome: "failed", route: null });
    expect(other.skipped).toEqual([{ route: "notify-send", ...said }, shellOnly]);
  });

  it("because notify-send complains though it ends well is passed over", async () => {
    programs.add("notify-send", "echo 'cannot reach the bus' >&2");
    const { skipped } = await notifier("freedesktop").post(testBanner(), never);
    expect(skipped[0]?.why).toBe("printed what it does not print: cannot reach the bus");
  });

  it("because it hangs is ended after 5 s with all of it, and the next one posts", async () => {
    const { connects, connection } = await startListener();
    programs.add("terminal-notifier", `exec bash -c '${connects}; sleep 300 & sleep 300'`);
    programs.addRecorder("osascript");
    const posting = notifier("mac").post(testBanner(), never);
    const socket = await connection();
    clock.advance(5_000);
    expect(await posting).toMatchObject({
      outcome: "posted",
      route: "osascript",
      skipped: [{ route: "terminal-notifier", why: "did not end within 5 s" }],
    });
    await socket.ended;
  });

  it("tells of what it printed only the beginning", async () => {
    programs.add("notify-send", "head -c 5000 /dev/zero | tr '\\0' x >&2; exit 1");
    const { skipped } = await notifier("freedesktop").post(testBanner(), never);
    expect(skipped[0]?.why).toMatch(/^ended with 1: x+…$/);
    expect(skipped[0]?.why).toHaveLength(200);
  });
});

it("whoever gives up while a route hangs starts no other one", async () => {
  const { connects, connection } = await startListener();
  programs.add("terminal-notifier", `exec bash -c '${connects}; sleep 300'`);
  programs.addRecorder("osascript");
  const caller = new AbortController();
  const posting = notifier("mac").post(testBanner(), caller.signal);
  const socket = await connection();
  caller.abort();
  const receipt = await posting;
  expect(receipt).toMatchObject({ outcome: "failed", route: null });
  expect(receipt.skipped.map(({ why }) => why)).toEqual(["cancelled", "cancelled", "cancelled"]);
  expect(programs.words()).toEqual([]);
  await socket.ended;
});

describe("words", () => {
  /** A launch that starts nothing, and what it was to start. */
  function noting(ending: LaunchEnding = { ending: "exited", code: 0, stdout: "", stderr: "" }) {
    const started: Program[] = [];
    const launch = async (program: Program): Promise<LaunchEnding> => {
      started.push(program);
      return ending;
    };
    return { started, launch };
  }
  const hostile = testBanner({ title: "-t <b>", body: "-b <i>&\\033\n" });

  it.each([
    ["mac", "terminal-notifier", ["-title", "\\-t <b>", "-message", "\\-b <i>&\\033\\u{a}"]],
    [
      "mac",
      "osascript",
      [
        "-e",
        "on run argv",
        "-e",
        "display notification (item 2 of argv) with title (item 1 of argv)",
        "-e",
        "end run",
        "--",
        "-t <b>",
        "-b <i>&\\033\\u{a}",
      ],
    ],
    ["freedesktop", "notify-send", ["--app-name=wisp", "--", "-t <b>", "-b &lt;i&gt;&amp;\\\\033\\\\u{a}"]],
  ] as const)("on %s, for %s, leave nothing in the texts to be read", async (desktop, name, args) => {
    programs.addRecorder(name);
    const { started, launch } = noting();
    await notifier(desktop, { launch }).post(hostile, never);
    expect(started).toEqual([
      { path: `${programs.path}/${name}`, args, environment: { PATH: programs.path }, input: null },
    ]);
  });

  it("of a system that starts no more programs are told", async () => {
    programs.addRecorder("notify-send");
    const { launch } = noting({ ending: "not_started", errno: "EMFILE" });
    const { skipped } = await notifier("freedesktop", { launch }).post(hostile, never);
    expect(skipped[0]).toEqual({ route: "notify-send", why: "could not be started (EMFILE)" });
  });

  it("of terminal-notifier that say the banner was delivered are no rubbish", async () => {
    programs.addRecorder("terminal-notifier");
    const { launch } = noting({
      ending: "exited",
      code: 0,
      stdout: "* Notification delivered.\n",
      stderr: "x",
    });
    expect(await notifier("mac", { launch }).post(hostile, never)).toMatchObject({ outcome: "posted" });
  });
});
