import { beforeEach, expect, it } from "vitest";
import { createCommandNotifier } from "../../../src/broker/notify/command.js";
import { createLaunch } from "../../../src/broker/notify/launch.js";
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

function notifier(...argv: readonly string[]) {
  const environment = { PATH: programs.path, HOME: "/home/p", API_KEY: "secret" };
  return createCommandNotifier({ clock, launch: createLaunch(clock), argv, environment });
}

it("the program reads one line of JSON with what is announced, and nothing else", async () => {
  programs.addReader("tell");
  await notifier("tell").post(testBanner({ body: "a\u001b[2J", client: "c\u0007" }), never);
  const [text = ""] = programs.texts();
  expect(text.endsWith("\n")).toBe(true);
  expect(JSON.parse(text)).toEqual({
    v: 1,
    title: "api · claude-code asks",
    body: "a\\u{1b}[2J",
    source: "approval",
    request: "k7q2mx9d",
    level: "high",
    client: "c\\u{7}",
    project: "api",
    at: clock.now(),
  });
});

it("the command stays on this machine: the program reads the body for outside, and the receipt says so", async () => {
  programs.addReader("tell");
  const body = "curl -H 'Authorization: Bearer s3cret' — WISP_HOME=/home/p/w wisp approvals approve k7q2mx9d";
  const outside = "a command at level high waits — in wisp: k7q2mx9d";
  const receipt = await notifier("tell").post(testBanner({ body, outside }), never);
  expect(JSON.parse(programs.texts()[0] ?? "")).toMatchObject({ body: outside });
  expect(programs.texts().join("")).not.toMatch(/curl|s3cret|\/home/);
  expect(receipt).toMatchObject({ outcome: "posted", body: outside });
});

it("what a banner does not know stands as null, and long names are cut", async () => {
  programs.addReader("tell");
  const banner = testBanner({ request: null, level: null, client: "c".repeat(100), project: null });
  await notifier("tell").post(banner, never);
  expect(JSON.parse(programs.texts()[0] ?? "")).toMatchObject({
    request: null,
    level: null,
    client: `${"c".repeat(63)}…`,
    project: null,
  });
});

it("the program gets its own words, and no shell reads them", async () => {
  programs.addRecorder("tell");
  const words = ["--topic", "$HOME; id", ""];
  expect(await notifier("tell", ...words).post(testBanner(), never)).toMatchObject({ outcome: "posted" });
  expect(programs.words()).toEqual([words]);
});

it("the program sees none of the server's keys", async () => {
  programs.add("tell", `env >&2; exit 1`);
  const { skipped } = await notifier("tell").post(testBanner(), never);
  expect(skipped[0]?.why).toMatch(/^ended with 1: \w+=/);
  programs.add("tell", `[ -z "$API_KEY" ] && [ "$HOME" = /home/p ] || exit 9`);
  expect(await notifier("tell").post(testBanner(), never)).toMatchObject({ outcome: "posted" });
});

it("the program may print what it likes, and need not read", async () => {
  programs.add("tell", "exec 0<&-; echo sent; echo slow >&2");
  expect(await notifier("tell").post(testBanner(), never)).toMatchObject({
    outcome: "posted",
    route: "notify.command",
    skipped: [],
  });
});

it.each([
  ["exits with 3", "echo 'no net' >&2; exit 3", "ended with 3: no net"],
  ["dies", "kill -9 $$", "was ended by SIGKILL"],
])("a program that %s is only a receipt", async (_what, text, why) => {
  programs.add("tell", text);
  expect(await notifier("tell").post(testBanner(), never)).toMatchObject({
    outcome: "failed",
    route: null,
    skipped: [{ route: "notify.command", why }],
  });
});

it("a program that hangs is ended after 5 s, with all that it started", async () => {
  const { connects, connection } = await startListener();
  programs.add("tell", `exec bash -c '${connects}; sleep 300 & sleep 300'`);
  const posting = notifier("tell").post(testBanner(), never);
  const socket = await connection();
  clock.advance(5_000);
  expect((await posting).skipped).toEqual([{ route: "notify.command", why: "did not end within 5 s" }]);
  await socket.ended;
});

it.each([["missing"], ["./tell"], ["bin/tell"], [""]])(
  "a program %j that is not in PATH, nor an absolute path, is never started",
  async (name) => {
    programs.addReader("tell");
    const { outcome, skipped } = await notifier(name).post(testBanner(), never);
    expect(outcome).toBe("failed");
    expect(skipped[0]?.why).toContain("neither an absolute path of a program nor found in PATH");
    expect(programs.texts()).toEqual([]);
    expect(await notifier(`${programs.path}/tell`).post(testBanner(), never)).toMatchObject({
      outcome: "posted",
    });
  },
);

it("no words at all start nothing", async () => {
  expect(await notifier().post(testBanner(), never)).toMatchObject({ outcome: "failed" });
});
