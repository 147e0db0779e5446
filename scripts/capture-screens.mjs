/**
 * Writes docs/screens.md: what the built full-screen face shows, taken from a terminal. With `--print` it goes to
 * standard output instead. Ids are fixed; times, process numbers, and how changes are noticed, which is another way while
 * the machine is busy, are written over.
 */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./programs.mjs";
import { scenes } from "./screens/scenes.mjs";
import { startOnScreen } from "./screens/terminal.mjs";

const door = await import(new URL("../dist/broker/index.js", import.meta.url).href);

/** What waits has a little more time than the screens say. */
const waitMs = 585_000;

/** @param {import("./screens/scenes.mjs").Scene} scene */
async function capture({ drafts, columns, rows, words = [], steps }) {
  const directory = mkdtempSync(join(tmpdir(), "wisp-screens-"));
  const channel = openChannel(join(directory, ".wisp"));
  for (const draft of drafts) channel.file({ ...draft, expiresAt: Date.now() + waitMs }, []);
  const screen = startOnScreen([process.execPath, join(root, "dist/wisp-tui.mjs"), ...words], {
    columns,
    rows,
    environment: { HOME: directory, PATH: process.env.PATH ?? "", TERM: "xterm-256color", TZ: "UTC" },
  });
  try {
    for (const step of steps) await (typeof step === "string" ? screen.type(step) : screen.until(step));
    return screen.rows().map(masked);
  } finally {
    await screen.close();
    channel.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A server that settles every answer as it comes. Its chance is a count, so that ids are the same each time. */
function openChannel(/** @type {string} */ path) {
  const home = door.homeAt(path, true);
  mkdirSync(path, { mode: 0o700 });
  chmodSync(path, 0o700);
  const identity = door.ownIdentity();
  let drawn = 0;
  let now = Date.now();
  const clock = {
    ...door.systemClock,
    // Later than the one before by a millisecond at least: what was filed first stands first.
    now: () => (now = Math.max(now + 1, Date.now())),
    randomBytes: (/** @type {number} */ size) => {
      drawn += 1;
      return createHash("shake256", { outputLength: size }).update(`${drawn}`).digest();
    },
  };
  const instance = "abcdefghjkmnpqrs";
  const server = { pid: identity.pid, startedAt: identity.startedAt, boot: identity.boot, instance };
  const record = () => ({ v: 1, ...identity, instance, parent: null, client: null, home: path });
  const verified = { terminal: true, ancestry: true, signed: null };
  const channel = new door.DirectoryChannel({
    home,
    clock,
    onRefused: () => {},
    asker: {
      server,
      by: { pid: identity.pid, startedAt: identity.startedAt, tty: null, version: door.version },
      presence: door.serverPresence({ home, clock, record }),
      witness: () => ({ verified, seen: {}, shortfall: null }),
    },
  });
  channel.changes((/** @type {string | null} */ id) => {
    const news = id === null ? null : channel.take(id);
    if (news?.kind !== "answer") return;
    channel.settle(id, { outcome: "answered", taken: news.taken, ran: null });
  });
  return channel;
}

/** @param {string} row */
function masked(row) {
  return row
    .replace(/\b\d:\d\d\b/g, "9:41")
    .replace(/^(wisp .*) polling$/, "$1 ok")
    .replace(/\b9 minutes \d+ seconds?/g, "9 minutes 41 seconds")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "2026-12-01 14:02")
    .replace(/(process:? +)(\d+)( *)/i, (_, label, pid, blanks) => {
      return label + (blanks === "" ? "4711" : "4711".padEnd(pid.length + blanks.length));
    });
}

/** @param {readonly string[]} rows */
function trimmed(rows) {
  const last = rows.findLastIndex((row) => row.trim() !== "");
  const first = rows.findIndex((row) => row.trim() !== "");
  return rows.slice(first, last + 1).map((row) => row.trimEnd());
}

const parts = [
  "# Screens of the full-screen face",
  "",
  "Taken from the running program by `node scripts/capture-screens.mjs`; a test holds this page to what it shows today.",
  "Colours are left out: nothing is told by them alone. In the face, `?` lists the keys.",
];
/** Mostly they wait for the screen to stand still, or for the quiet before a key. */
const atOnce = 4;
/** @type {(readonly string[])[]} */
const captured = [];
const left = scenes.entries();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (const [index, scene] of left) captured[index] = trimmed(await capture(scene));
  }),
);
for (const [index, { title, about }] of scenes.entries()) {
  parts.push("", `## ${title}`, "", about, "", "```text", ...(captured[index] ?? []), "```");
}
const page = `${parts.join("\n")}\n`;
if (process.argv.includes("--print")) process.stdout.write(page);
else writeFileSync(join(root, "docs/screens.md"), page);
