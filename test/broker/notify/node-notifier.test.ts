import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeEach, describe, expect, it } from "vitest";
import { buildOptions, packagesIn } from "../../../scripts/programs.mjs";
import { createDesktopNotifier } from "../../../src/broker/notify/desktop.js";
import { createLaunch } from "../../../src/broker/notify/launch.js";
import type { Desktop } from "../../../src/broker/notify/route.js";
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

/** Only this route is there. */
function notifier(file: string, desktop: Desktop = "windows") {
  return createDesktopNotifier({
    clock,
    launch: createLaunch(clock),
    desktop,
    environment: { PATH: join(programs.path, "none") },
    nodeNotifier: () => file,
  });
}

async function whyOf(file: string): Promise<string | undefined> {
  const receipt = await notifier(file).post(testBanner(), never);
  expect(receipt).toMatchObject({ outcome: "failed", route: null });
  return receipt.skipped.at(-1)?.why;
}

async function expectToPost(file: string): Promise<void> {
  expect(await notifier(file).post(testBanner(), never)).toMatchObject({ outcome: "posted" });
}

describe("node-notifier", () => {
  it.each(["windows", "mac"] as const)("posts on %s where nothing else works", async (desktop) => {
    const file = programs.addNodeNotifier();
    expect(await notifier(file, desktop).post(testBanner(), never)).toMatchObject({
      outcome: "posted",
      route: "node-notifier",
    });
    expect(programs.words()).toEqual([[testBanner().title, testBanner().body]]);
  });

  it("is not even loaded where it would start a shell", async () => {
    const file = programs.addNodeNotifier();
    const { skipped } = await notifier(file, "freedesktop").post(testBanner(), never);
    expect(skipped.at(-1)?.why).toBe("here it can only start notify-send, and through a shell");
    expect(programs.words()).toEqual([]);
  });

  it.each([
    ["reports an error", `done(new Error("no \u0007 toaster"));`, "ended with 1: no \\u{7} toaster"],
    ["throws", `throw new Error("broken");`, "ended with 1: broken"],
    ["ends its process", "process.exit(7);", "ended with 7"],
    ["ends its process as if all were well", "process.exit(0);", "did not say that it posted"],
    ["never says how it went", "", "did not say that it posted"],
  ])("that %s fails, and this process goes on", async (_what, body, why) => {
    expect(await whyOf(programs.addNodeNotifier(body))).toBe(why);
    await expectToPost(programs.addNodeNotifier());
  });

  it("that raises an error which nobody can catch fails, and this process goes on", async () => {
    const body = `require("node:net").createServer().listen("/nowhere/pipe", () => done(null));`;
    expect(await whyOf(programs.addNodeNotifier(body))).toMatch(/^ended with 1: /);
    await expectToPost(programs.addNodeNotifier());
  });

  it("whose program fails is not believed when it says that all went well", async () => {
    const swallows = `children.execFile(PROGRAM, [title, message], () => done(null));`;
    const file = programs.addNodeNotifier(swallows);
    programs.breakIt();
    // 1 to 5 are how the Windows program says what became of a toast that it did show.
    programs.add("toast", "exit 255");
    expect(await whyOf(file)).toMatch(/^ended with 1: Command failed/);
    const missing = programs.addNodeNotifier(swallows.replace("PROGRAM", `"/nowhere/toast"`));
    expect(await whyOf(missing)).toMatch(/^ended with 1: spawn \/nowhere\/toast ENOENT/);
  });

  it.each([1, 2, 3, 4, 5])("believes that a toast was shown which ended with %i", async (code) => {
    const file = programs.addNodeNotifier(`children.execFile(PROGRAM, [], () => done(null));`);
    programs.add("toast", `exit ${code}`);
    await expectToPost(file);
  });

  it("that is not there, or cannot be read, fails", async () => {
    expect(await whyOf(join(programs.path, "nothing.js"))).toMatch(/^ended with 1: Cannot find module/);
    await expectToPost(programs.addNodeNotifier());
  });

  it("that waits without end is ended after 5 s, with the program it started", async () => {
    const { connects, connection } = await startListener();
    const file = programs.addNodeNotifier("children.execFile(PROGRAM, [], done);");
    programs.add("toast", `exec bash -c '${connects}; sleep 300'`);
    const posting = notifier(file).post(testBanner(), never);
    const socket = await connection();
    clock.advance(5_000);
    expect((await posting).skipped.at(-1)?.why).toBe("did not end within 5 s");
    await socket.ended;
  });
});

describe("the package itself", () => {
  it("is installed, and has the ways that are used", async () => {
    const file = createRequire(import.meta.url).resolve("node-notifier");
    const { default: notifiers } = (await import(file)) as { default: Readonly<Record<string, unknown>> };
    expect(notifiers).toMatchObject({
      NotificationCenter: expect.any(Function),
      WindowsToaster: expect.any(Function),
    });
  });

  it("stays outside of a bundle, because it looks for its programs beside itself", async () => {
    const program = { entry: "src/broker/notify/node-notifier.ts", file: "wisp-test.mjs" };
    const { metafile, outputFiles } = await build({ ...buildOptions(program), write: false });
    expect(packagesIn(metafile)).toEqual([]);
    expect(outputFiles?.[0]?.text).toContain("node-notifier");
  });
});
