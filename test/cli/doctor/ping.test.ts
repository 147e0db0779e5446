import { describe, expect, it } from "vitest";
import { doctor, type Machine } from "../../../src/cli/commands/doctor.js";
import { writeAcceptedConfig } from "../../support/config-files.js";
import { FakeClock } from "../../support/fake-clock.js";
import { FakeNotifier } from "../../support/fake-notifier.js";
import { type FakeTerminalOptions, fakeTerminal } from "../../support/fake-terminal.js";
import { startOn } from "../../support/run-verb.js";
import { tempHome } from "../../support/temp-home.js";

const freedesktop = { desktop: "freedesktop", nodeNotifier: () => "" } as const;

function pinging(options: FakeTerminalOptions = {}, notifier = new FakeNotifier(new FakeClock())) {
  const home = options.home ?? tempHome();
  const machine: Machine = { ...freedesktop, createNotifiers: () => [notifier] };
  const started = startOn(fakeTerminal({ home, ...options }), (on) => doctor({ ping: true }, on, machine));
  return { ...started, notifier };
}

describe("wisp doctor --ping", () => {
  it.each(["y", "Yes", " y "])(
    "posts one banner, asks whether it is seen, and takes %j for yes",
    async (line) => {
      const { terminal, ended, notifier } = pinging();
      terminal.type(line);
      const { exit, out, err } = await ended;
      expect(notifier.shown).toMatchObject([{ title: "wisp: do you see this?", request: null }]);
      expect(terminal.questions).toEqual(["Do you see it? [y/N] "]);
      expect(out).toMatch(/^ok {4}ping +posted by fake, and seen$/m);
      expect([exit, err]).toEqual([0, "posted by fake\n"]);
    },
  );

  it.each(["", "n", "yesterday"])(
    "takes %j for no, and says what may keep it from being seen",
    async (line) => {
      const { terminal, ended } = pinging();
      terminal.type(line);
      const { exit, out } = await ended;
      expect(out).toMatch(/^fail {2}ping +posted by fake, but not seen: do-not-disturb/m);
      expect(exit).toBe(1);
    },
  );

  it("asks nothing where nothing could be posted, and says why", async () => {
    const notifier = new FakeNotifier(new FakeClock());
    notifier.fault = "no bus\u001b";
    const { terminal, ended } = pinging({}, notifier);
    const { exit, out } = await ended;
    expect(terminal.questions).toEqual([]);
    expect(out).toMatch(/^fail {2}ping +not posted: fake: no bus\\u\{1b\}$/m);
    expect(exit).toBe(1);
  });

  it("is given up with Ctrl-C, while it posts and while it asks", async () => {
    const holding = new FakeNotifier(new FakeClock());
    holding.isHolding = true;
    const posting = pinging({}, holding);
    posting.terminal.interrupt();
    expect(await posting.ended).toMatchObject({ exit: 130, out: "" });
    const asking = pinging();
    asking.terminal.interrupt();
    expect((await asking.ended).exit).toBe(130);
  });

  it("posts nothing without a terminal, whoever calls it, and does on one", async () => {
    const { ended, notifier } = pinging({ canAnswer: false });
    const { exit, err } = await ended;
    expect(notifier.shown).toEqual([]);
    expect(exit).toBe(4);
    expect(err).toContain("Nothing posted: standard input is not a terminal.");
    expect(err).toMatch(/run: WISP_HOME=\S+ wisp doctor --ping/);
    const again = pinging();
    again.terminal.type("y");
    expect((await again.ended).exit).toBe(0);
  });

  it("uses what the configuration of the home wants", async () => {
    const home = tempHome();
    const notify = { enabled: false, command: ["tell"], perMinute: 1 };
    writeAcceptedConfig(home.path, { notify });
    const asked: unknown[] = [];
    const notifier = new FakeNotifier(new FakeClock());
    const machine: Machine = {
      ...freedesktop,
      createNotifiers(wanted) {
        asked.push(wanted);
        return [notifier];
      },
    };
    const { terminal, ended } = startOn(fakeTerminal({ home }), (on) => doctor({ ping: true }, on, machine));
    terminal.type("y");
    await ended;
    expect(asked).toEqual([notify]);
  });
});
