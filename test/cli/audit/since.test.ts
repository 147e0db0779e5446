import { expect, test } from "vitest";
import { sinceOf } from "../../../src/cli/audit/since.js";

const now = Date.UTC(2026, 10, 30, 12);

test.each([
  ["2h", now - 7_200_000],
  ["3d", now - 259_200_000],
  ["30m", now - 1_800_000],
  ["0s", now],
  ["1w", now - 604_800_000],
  ["2026-11-30", new Date(2026, 10, 30).getTime()],
  ["2026-11-30T08:00", new Date(2026, 10, 30, 8).getTime()],
  ["2026-11-30T08:00:01.5Z", Date.UTC(2026, 10, 30, 8, 0, 1, 500)],
  ["2026-11-30T08:00+02:00", Date.UTC(2026, 10, 30, 6)],
])("%s is a time", (typed, expected) => {
  expect(sinceOf(typed, now)).toBe(expected);
});

test.each(["", "2", "h", "-2h", "2 h", "2H", "1e3h", "2026-13-01", "2026-02-30", "2026-11-30T25:00", "now"])(
  "%j is none",
  (typed) => {
    expect(sinceOf(typed, now)).toBeNull();
  },
);
