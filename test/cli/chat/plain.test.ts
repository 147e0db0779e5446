/** Plain chat in this process, with a person whose lines are the test's. */
import { describe, expect, it } from "vitest";
import { homeAt } from "../../../src/broker/channel/home.js";
import { idsFor } from "../../../src/cli/chat/doing.js";
import { approvalDraft, approvalRequest, twoOffers } from "../../support/builders.js";
import { chatting, chattingIn } from "../../support/chatting.js";
import { fakeInbox, receiptOf } from "../../support/fake-inbox.js";
import { answerIn, filed, filedDraft, filedOnly, isWaiting, lineOf, long } from "../../support/filed.js";
import { keptHome } from "../../support/kept-home.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";
import { openAsker, openFace, tempHome } from "../../support/temp-home.js";

describe("news in plain chat", () => {
  it("stand before the prompt, and come at once where nothing is typed", async () => {
    const [first, second] = [approvalRequest(), approvalRequest()];
    const inbox = fakeInbox([first]);
    const { terminal, lines, asked } = chatting(inbox);
    await asked(1);
    expect(terminal.printed()).toContain(`waits: ${first.id}`);
    inbox.arrives(second);
    expect(terminal.printed()).toContain(`waits: ${second.id}`);
    expect(lines.interjections).toBe(1);
  });

  it("wait while something is half-typed, and come when that is erased or entered", async () => {
    const [first, second, third] = [approvalRequest(), approvalRequest(), approvalRequest()];
    const inbox = fakeInbox();
    const { terminal, lines, asked } = chatting(inbox);
    await asked(1);
    lines.half("/appro");
    inbox.arrives(first);
    expect(terminal.printed()).toBe("");
    lines.half("");
    expect(terminal.printed()).toContain(`waits: ${first.id}`);
    lines.half("/help");
    inbox.arrives(second);
    inbox.leaves(first, { receipt: receiptOf(first), proof: "proved" });
    expect(terminal.printed()).not.toContain(second.id);
    lines.types("/help");
    await asked(2);
    expect(terminal.printed()).toMatch(
      new RegExp(`/help[\\s\\S]*waits: ${second.id}[\\s\\S]*ended: ${first.id}`),
    );
    inbox.arrives(third);
    expect(terminal.printed()).toContain(`waits: ${third.id}`);
  });
});

describe("leaving plain chat", () => {
  it.each([
    ["the end of the input", { kind: "end" } as const, 0],
    ["Ctrl-C", { kind: "interrupted" } as const, 130],
    ["/quit", "/quit", 0],
  ])("%s ends it, and answers nothing", async (_what, typed, exit) => {
    const inbox = fakeInbox([approvalRequest()]);
    const { lines, ended } = chatting(inbox);
    lines.types(typed);
    expect(await ended).toBe(exit);
    expect(inbox.answers).toEqual([]);
  });

  it("Ctrl-C at a question ends it, and the request still waits", async () => {
    const { home } = filed({ level: "dangerous" });
    const { terminal, lines, ended } = chattingIn(home);
    lines.types(`/approvals approve ${openFace(home).pending().requests[0]?.id}`);
    await expect.poll(() => terminal.questions.length, long).toBe(1);
    terminal.interrupt();
    expect(await ended).toBe(130);
    expect(isWaiting(home)).toBe(true);
    // Whoever left types what comes next into a shell.
    expect(terminal.said()).toMatch(/ still waits\.\n {2}WISP_HOME=\S+ wisp approvals pending\n$/);
  });

  it.each([
    ["/approvals approve", approvalDraft({ level: "dangerous" }), "wisp approvals deny"],
    ["/facts keep", factDraft({ says: "a\u202eb" }), "wisp facts drop"],
    ["/questions answer", questionDraft(), "wisp questions decline"],
  ])("Ctrl-D at the question of %s names a command of the shell", async (slash, draft, line) => {
    const { home, request } = filedDraft(draft);
    const { terminal, lines } = chattingIn(home);
    lines.types(`${slash} ${request.id}`);
    await expect.poll(() => terminal.questions.length, long).toBe(1);
    terminal.type(null);
    await expect
      .poll(() => terminal.said(), long)
      .toContain(`WISP_HOME=${home.path} ${line} ${request.id}\n`);
    expect(terminal.said()).not.toContain(`it: /`);
    expect(isWaiting(home)).toBe(true);
  });
});

describe("answering in plain chat", () => {
  it("shows all of it before the yes, which names chat", async () => {
    const { home, request } = filedOnly();
    const { terminal, lines } = chattingIn(home);
    lines.types(`/approvals approve ${request.id.slice(0, 4)}`);
    expect(await answerIn(home, request)).toMatchObject({ decision: "approve", scope: "once", via: "chat" });
    expect(terminal.said()).toMatch(/^runs {10}git push origin main$/m);
    expect(terminal.questions).toEqual([]);
  });

  it("tells how it ended, and that alone", async () => {
    const { home, request } = filed();
    const text = await chattingIn(home).says(`/approvals approve ${request.id}`);
    expect(text).toContain("approved (once, terminal): git push origin main — for test-client");
    expect(text).not.toContain("ended: ");
    expect(openFace(home).receipt(request.id)).toMatchObject({ decision: "approve", via: "chat" });
  });

  it("denies at once, with the rest of the line for the agent", async () => {
    const { home, request } = filed();
    const text = await chattingIn(home).says(`/approvals deny ${request.id}  not on  Fridays`);
    expect(text).toMatch(
      /^denied \(terminal\): git push origin main — for test-client: "not on {2}Fridays"$/m,
    );
    expect(openFace(home).receipt(request.id)).toMatchObject({ decision: "deny", note: "not on  Fridays" });
  });

  it.each([
    ["where what runs is long", lineOf(Array.from({ length: 12 }, () => "true").join("\n")), "once", "y"],
    ["where something stands escaped", lineOf("true \u202e"), "once", "y"],
    ["for longer than the session", { remember: twoOffers() }, "always", "y"],
    ["at level dangerous", { level: "dangerous" } as const, "once", "main"],
  ])("asks first %s", async (_what, overrides, scope, word) => {
    const { home, request } = filed({ ...overrides, scopes: ["once", "always"] });
    const line = `/approvals approve ${request.id} ${scope}`;
    const { terminal, lines, says } = chattingIn(home);
    terminal.type("n");
    lines.types(line);
    await expect.poll(() => terminal.questions.length, long).toBe(1);
    await expect.poll(() => lines.fresh.length, long).toBe(2);
    expect(isWaiting(home)).toBe(true);
    expect(terminal.said()).toContain(`To deny it: /approvals deny ${request.id}`);
    terminal.type(word);
    expect(await says(line)).toMatch(new RegExp(`approved \\(${scope}, (30 days, )?terminal\\)`));
  });

  it("asks for a line afresh at first, and after whatever was answered", async () => {
    const { home, request } = filed();
    const { lines, says } = chattingIn(home);
    await says("/help", "/approvals pending", `/approvals deny ${request.id}`, "/help");
    expect(lines.fresh).toEqual([true, false, false, true, false]);
  });

  it("refuses a scope that was not offered, an id that fits several, and one that fits none", async () => {
    const home = tempHome();
    const { channel } = openAsker(home);
    const [first] = Array.from({ length: 2 }, () => channel.file(approvalDraft(), []));
    const { id = "" } = first ?? {};
    const text = await chattingIn(home).says(
      `/approvals approve ${id} always`,
      "/approvals approve k7",
      "/approvals approve zzzz",
      "/approvals approve",
    );
    expect(text).toContain(
      `${id} does not offer the scope always.\n  It offers once: only one plain command whose words say what runs is remembered for longer.\n  /approvals approve ${id}\n`,
    );
    expect(text).toContain("k7 is no id");
    expect(text).toContain("No request zzzz waits.");
    expect(text).toContain("/approvals approve needs an id.\n  /help\n");
    expect(openFace(home).pending().requests).toHaveLength(2);
  });

  it("answers nothing where standard input is no terminal, and says where", async () => {
    const { home, request } = filed();
    const text = await chattingIn(home, { canAnswer: false }).says(
      `/approvals approve ${request.id}`,
      `/approvals deny ${request.id}`,
    );
    for (const verb of ["approve", "deny"]) {
      expect(text).toContain(
        `Open a terminal and run: WISP_HOME=${home.path} wisp approvals ${verb} ${request.id}\n`,
      );
    }
    expect(isWaiting(home)).toBe(true);
    expect(await chattingIn(home).says(`/approvals approve ${request.id}`)).toContain("approved (once");
  });

  it.each([
    ["n", false],
    [null, false],
    ["y", true],
  ])("tells what was not told yet, and asks before the yes: %s", async (answer, isYes) => {
    const { home, channel } = filed();
    const inbox = fakeInbox(openFace(home).pending().requests, home);
    const { terminal, lines, asked, says } = chatting(inbox, { home });
    await asked(1);
    lines.half("/approvals approve ");
    const untold = channel.file(approvalDraft(lineOf("untold")), []);
    inbox.arrives(untold);
    terminal.type(answer);
    lines.types(`/approvals approve ${untold.id.slice(0, 8)}`);
    await asked(2);
    expect(terminal.questions).toEqual([expect.stringContaining(`${untold.id} was not told here before.`)]);
    expect(terminal.printed().match(new RegExp(`^waits: ${untold.id} .* untold `, "gm"))).toHaveLength(1);
    expect(openFace(home).receipt(untold.id) === null).toBe(!isYes);
    if (isYes) return;
    expect(terminal.said()).toContain(`Not answered: ${untold.id}.\n`);
    expect(await says(`/approvals approve ${untold.id}`)).toContain("approved (once, terminal): untold");
    expect(terminal.questions).toHaveLength(1);
  });

  it.each(["/approvals pending", "/help"])("takes what %s listed for told", async (before) => {
    const { home, channel } = filed();
    const inbox = fakeInbox([], home);
    const { terminal, says } = chatting(inbox, { home });
    const { id } = channel.file(approvalDraft(), []);
    terminal.type("n");
    const text = await says(before, `/approvals approve ${id}`);
    expect(terminal.questions).toHaveLength(before === "/help" ? 1 : 0);
    expect(text.includes("approved (once")).toBe(before !== "/help");
  });

  it("tells what ended and was not told of, and asks before the late yes", async () => {
    const { home, ends } = keptHome();
    const { id } = await ends();
    const { terminal, says } = chatting(fakeInbox([], home), { home });
    terminal.type("n");
    const text = await says(`/approvals approve ${id}`);
    expect(text).toContain("git push origin main");
    expect(text).toContain(`Not answered: ${id}.\n`);
    expect(terminal.questions).toHaveLength(1);
    const again = chatting(fakeInbox([], home), { home });
    expect(await again.says("/late", `/approvals approve ${id}`)).toContain("Answer: ");
    expect(again.terminal.questions).toEqual([]);
  });

  it("completes only the ids that were told", () => {
    const [told, untold] = [approvalRequest(), approvalRequest()];
    const late = ["aaaa2222", "bbbb3333"];
    const idsOf = (line: string) => idsFor(line, [told, untold], late, new Set([told.id, "aaaa2222"]));
    expect(idsOf("/approvals approve ")).toEqual([told.id, "aaaa2222"]);
  });

  it("runs none of several lines that came at once", async () => {
    const { home, request } = filed();
    const { lines, terminal, says, asked } = chattingIn(home);
    lines.types({ kind: "several", count: 2 });
    await asked(2);
    expect(terminal.said()).toContain("2 lines came at once, as from a paste: none of them was run.\n");
    expect(lines.fresh).toEqual([true, true]);
    expect(isWaiting(home)).toBe(true);
    expect(await says(`/approvals approve ${request.id}`)).toContain("approved (once");
  });
});

describe("other lines in plain chat", () => {
  it("get a line of help, and are never commands", async () => {
    const inbox = fakeInbox([approvalRequest()]);
    const text = await chatting(inbox, { home: tempHome() }).says(
      "yes",
      "y",
      "approve it \u001b[2J",
      "/help",
    );
    expect(text.match(/That is no command, and nothing was answered\. See \/help\n/g)).toHaveLength(3);
    expect(text).toContain("/approvals deny ID [why]");
    expect(inbox.answers).toEqual([]);
  });

  it("are shown escaped where they are told back", async () => {
    const text = await chatting(fakeInbox(), { home: tempHome() }).says("/appr\u001b[2J\u202e x");
    expect(text).toContain("There is no /appr\\u{1b}[2J\\u{202e}");
    expect(text.match(/see \/help/g)).toHaveLength(1);
    expect(text).not.toContain("\n  /help");
    expect(text).not.toContain("\u001b");
  });

  it("go wrong without ending it", async () => {
    const text = await chatting(fakeInbox(), { home: homeAt("/dev/null/home", false) }).says(
      "/approvals pending",
      "/late",
      "/help",
    );
    expect(text.match(/^wisp: /gm)?.length).toBeGreaterThanOrEqual(2);
    expect(text).toContain("/quit");
  });
});
