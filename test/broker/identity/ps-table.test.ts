import { expect, it } from "vitest";
import { parsePsTable } from "../../../src/broker/identity/ps-table.js";

const mac = `
    1     0 ??       Ss   Mon Jan  5 08:00:01 2026     /sbin/launchd
  412     1 ??       S    Mon Jan  5 08:01:10 2026     /System/Applications/Utilities/Terminal.app/Contents/MacOS/Terminal
  980   412 ttys000  Ss   Mon Jan  5 08:01:11 2026     login
  981   980 ttys000  S    Mon Jan  5 08:01:11 2026     -zsh
 1200     1 ??       S    Mon Jan  5 09:30:00 2026     /Applications/Some Editor.app/Contents/MacOS/Some Editor
 1300   981 ttys000  Z+   Mon Jan  5 09:31:00 2026     (node)
`;

const linux = `
      1       0 ?        Ss   Sun Nov 29 19:31:31 2026 systemd
    204     200 pts/3    Ss   Sun Nov 29 19:31:35 2026 bash
    205       1 ?        S<l  Sun Nov 29 19:31:36 2026 kworker/R-rcu_gp
`;

it.each([
  [
    mac,
    [
      [1, 0, "launchd", null, "Mon Jan  5 08:00:01 2026", true, false],
      [412, 1, "Terminal", null, "Mon Jan  5 08:01:10 2026", false, false],
      [980, 412, "login", "/dev/ttys000", "Mon Jan  5 08:01:11 2026", true, false],
      [981, 980, "-zsh", "/dev/ttys000", "Mon Jan  5 08:01:11 2026", false, false],
      [1200, 1, "Some Editor", null, "Mon Jan  5 09:30:00 2026", false, false],
      [1300, 981, "(node)", "/dev/ttys000", "Mon Jan  5 09:31:00 2026", false, true],
    ],
  ],
  [
    linux,
    [
      [1, 0, "systemd", null, "Sun Nov 29 19:31:31 2026", true, false],
      [204, 200, "bash", "/dev/pts/3", "Sun Nov 29 19:31:35 2026", true, false],
      [205, 1, "kworker/R-rcu_gp", null, "Sun Nov 29 19:31:36 2026", false, false],
    ],
  ],
])(
  "a table of ps is one process a line: number, parent, program, terminal, start, leader, zombie",
  (text, rows) => {
    const read = parsePsTable(text).map((one) => [
      one.pid,
      one.parent,
      one.name,
      one.terminal,
      one.startedAt,
      one.isSessionLeader,
      one.isZombie,
    ]);
    expect(read).toEqual(rows);
  },
);

it("a line that is no process is left out, and a name cannot make a second one", () => {
  expect(parsePsTable("ps: illegal option -- A\n\n  1 0 ?? Ss Mon Jan 5 2026 x\n")).toEqual([]);
  const [one] = parsePsTable("  7     1 ??       S    Mon Jan  5 08:00:01 2026 a 8 1 ttys000 Ss");
  expect(one).toMatchObject({ pid: 7, name: "a 8 1 ttys000 Ss", terminal: null });
});
