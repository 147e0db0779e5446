/** `wisp doctor` in this process, on a machine without banners. */
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../../src/broker/channel/home.js";
import { type DoctorOptions, doctor, type Machine } from "../../src/cli/commands/doctor.js";
import { type FakeTerminalOptions, fakeTerminal } from "./fake-terminal.js";
import { type Ran, startOn } from "./run-verb.js";

/** Nothing is found on it, and nothing of it is started. */
const machine: Machine = { desktop: "freedesktop", nodeNotifier: () => "", createNotifiers: () => [] };

export const runDoctor = (
  options: DoctorOptions,
  terminal: FakeTerminalOptions,
  looks: Pick<Machine, "elsewhere"> = {},
): Promise<Ran> =>
  startOn(fakeTerminal(terminal), (on) => doctor(options, on, { ...machine, ...looks })).ended;

export const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

/** A file among the requests that is none, last changed at `at`. */
export function plantJunk(home: Home, name: string, at: Date): void {
  writeFileSync(join(home.pending, name), "junk", { mode: 0o600 });
  utimesSync(join(home.pending, name), at, at);
}
