import { createCommandNotifier } from "../../../src/broker/notify/command.js";
import { createDesktopNotifier } from "../../../src/broker/notify/desktop.js";
import { createLaunch } from "../../../src/broker/notify/launch.js";
import type { Desktop } from "../../../src/broker/notify/route.js";
import { bannerPrograms } from "../../support/banner-programs.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeNotifier } from "../../support/fake-notifier.js";
import { describeNotifier, type NotifierHarness } from "../../support/notifier-contract.js";
import { tempDirectory } from "../../support/temp-home.js";

/** What a program would show of the words it was started with. */
type Reading = (words: readonly string[]) => { readonly title: string; readonly body: string };

function fake(): NotifierHarness {
  const clock = new FakeClock();
  const notifier = new FakeNotifier(clock);
  return {
    clock,
    notifier,
    shown: () => notifier.shown.map(({ title, body }) => ({ title, body })),
    breakIt: () => {
      notifier.fault = "broken";
    },
    repair: () => {
      notifier.fault = null;
    },
  };
}

describeNotifier("in memory", fake);

function desktop(of: Desktop, program: string | null, reading: Reading): NotifierHarness {
  const installed = bannerPrograms(tempDirectory());
  const { path, words, breakIt, repair } = installed;
  if (program !== null) installed.addRecorder(program);
  const file = program === null ? installed.addNodeNotifier() : null;
  const clock = new FakeClock();
  const notifier = createDesktopNotifier({
    clock,
    launch: createLaunch(clock),
    desktop: of,
    environment: { PATH: path },
    nodeNotifier() {
      if (file === null) throw new Error("not installed");
      return file;
    },
  });
  // A route before this one is not there: only what was told counts here.
  return { clock, shown: () => words().map(reading), breakIt, repair, notifier: withoutMissing(notifier) };
}

function withoutMissing(notifier: NotifierHarness["notifier"]): NotifierHarness["notifier"] {
  return {
    async post(banner, signal) {
      const receipt = await notifier.post(banner, signal);
      return { ...receipt, skipped: receipt.skipped.filter(({ why }) => why !== "not found in PATH") };
    },
  };
}

/** As notify-send reads its body: first escapes as in C, then markup. */
function readByNotifySend(body: string): string {
  return body
    .replace(/\\(.)/g, (_all, next: string) => (next === "\\" ? "\\" : `<an escape: ${next}>`))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

describeNotifier("over notify-send", () =>
  desktop("freedesktop", "notify-send", (words) => {
    const [title = "", body = ""] = words.slice(words.indexOf("--") + 1);
    return { title, body: readByNotifySend(body) };
  }),
);

describeNotifier("over terminal-notifier", () =>
  desktop("mac", "terminal-notifier", (words) => {
    const textOf = (option: string) => (words[words.indexOf(option) + 1] ?? "").replace(/^\\/, "");
    return { title: textOf("-title"), body: textOf("-message") };
  }),
);

describeNotifier("over osascript", () =>
  desktop("mac", "osascript", (words) => {
    const [title = "", body = ""] = words.slice(words.indexOf("--") + 1);
    return { title, body };
  }),
);

describeNotifier("over node-notifier", () =>
  // The blank that keeps a text from being an option is not seen.
  desktop("windows", null, ([title = "", body = ""]) => ({
    title: title.replace(/^ -/, "-"),
    body: body.replace(/^ -/, "-"),
  })),
);

describeNotifier("over a program of the person's", () => {
  const installed = bannerPrograms(tempDirectory());
  installed.addReader("tell");
  const clock = new FakeClock();
  const { path, texts, breakIt, repair } = installed;
  const launch = createLaunch(clock);
  const notifier = createCommandNotifier({ clock, launch, argv: ["tell"], environment: { PATH: path } });
  const shown = () =>
    texts().map((text) => {
      const { title, body } = JSON.parse(text) as { title: string; body: string };
      return { title, body };
    });
  return { clock, notifier, shown, breakIt, repair };
});
