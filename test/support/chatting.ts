/** Plain chat in this process, with a person whose lines are the test's. */
import { expect, onTestFinished } from "vitest";
import type { Home } from "../../src/broker/channel/home.js";
import { chatTerminal } from "../../src/cli/chat/chat-terminal.js";
import { newsOf } from "../../src/cli/chat/news.js";
import { chatPlainly } from "../../src/cli/chat/plain.js";
import type { Inbox } from "../../src/face/inbox.js";
import { openInbox } from "../../src/face/open-inbox.js";
import { wide } from "../../src/face/wide.js";
import { fakeLines } from "./fake-lines.js";
import { type FakeTerminalOptions, fakeTerminal } from "./fake-terminal.js";
import { long } from "./filed.js";

/** Over `inbox`. */
export function chatting(inbox: Inbox, options: FakeTerminalOptions = {}) {
  const terminal = fakeTerminal({ via: "chat", ...options });
  const inChat = chatTerminal(terminal, terminal.interruption());
  const lines = fakeLines();
  const { canAnswer, clock, out } = terminal;
  const news = newsOf({ inbox, clock, widths: wide, columns: () => out.columns, canAnswer });
  const interrupted = terminal.interruption();
  const ended = chatPlainly({ inbox, news, lines, terminal: inChat, interrupted });
  const asked = (count: number) => expect.poll(() => lines.fresh.length, long).toBe(count);
  return {
    terminal,
    lines,
    ended,
    /** Types each line when the prompt stands there, then leaves; what was printed on both outputs. */
    async says(...typed: readonly string[]): Promise<string> {
      let prompts = lines.fresh.length;
      for (const line of typed) {
        await asked(prompts);
        lines.types(line);
        prompts += 1;
      }
      await asked(prompts);
      lines.types({ kind: "end" });
      expect(await ended).toBe(0);
      return terminal.printed() + terminal.said();
    },
    asked,
  };
}

/** With the real inbox of `home`. */
export function chattingIn(home: Home, options: FakeTerminalOptions = {}) {
  const inbox = openInbox(fakeTerminal({ home }), "chat");
  onTestFinished(() => inbox.close());
  return chatting(inbox, { home, ...options });
}
