/** The built `wisp chat` on a terminal, typed at by a person or owned by a front end. */
import { expect } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { wispOn } from "./built.js";
import { type Pty, type PtyOptions, startInPty } from "./pty.js";

/** Stands before what is typed. */
export const promptText = "wisp> ";
/** Drawn behind the prompt: the cursor, in the column of the first letter. */
const cursor = `${String.fromCharCode(27)}[7G`;
const long = { timeout: 30_000 };

/** Chat on `home`, with its prompt on the screen. */
export async function chatOn(home: Home, options: PtyOptions = {}): Promise<Pty> {
  const pty = startInPty(wispOn(home, "chat", "--plain"), { columns: 200, ...options });
  await pty.seen(promptText);
  return pty;
}

/** Resolves when `text` is the last thing on the screen. */
export function stands(pty: Pty, text: string): Promise<void> {
  return expect.poll(() => pty.output().endsWith(text), long).toBe(true);
}

/** The same for the empty prompt. */
export function prompted(pty: Pty): Promise<void> {
  return stands(pty, `${promptText}${cursor}`);
}

/** Leaves at an empty prompt. */
export async function leave(pty: Pty): Promise<void> {
  await prompted(pty);
  pty.type("\u0004");
  expect(await pty.ended).toBe(0);
}

/** How often `text` was printed. */
export function times(pty: Pty, text: string): number {
  return pty.output().split(text).length - 1;
}

/** A line of JSON that a front end hears. */
export type Message = Readonly<Record<string, unknown>>;

export interface OnTerminal {
  readonly pty: Pty;
  /** All that was said, but that it is alive. */
  messages(): readonly Message[];
  says(...lines: readonly unknown[]): void;
}

/** On a terminal of its own, with its echo turned off as a front end does that owns one. */
export async function onTerminal(home: Home, options: PtyOptions = {}): Promise<OnTerminal> {
  const pty = startInPty(["sh", "-c", 'stty -echo; exec "$@"', "sh", ...wispOn(home, "chat", "--json")], {
    columns: 400,
    ...options,
  });
  await pty.seen('"hello"');
  return {
    pty,
    messages: () => messagesOf(pty),
    says: (...lines: readonly unknown[]) =>
      pty.type(lines.map((line) => `${JSON.stringify(line)}\n`).join("")),
  };
}

function messagesOf(pty: Pty): readonly Message[] {
  const lines = pty.output().split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Message).filter(({ type }) => type !== "alive");
}
