/** Facts and questions in plain chat. */
import { describe, expect, it } from "vitest";
import type { DirectoryChannel } from "../../../src/broker/channel/directory.js";
import type { Answer } from "../../../src/broker/request/answer.js";
import type { Draft } from "../../../src/broker/request/request.js";
import { approvalDraft } from "../../support/builders.js";
import { chatting, chattingIn } from "../../support/chatting.js";
import { fakeInbox } from "../../support/fake-inbox.js";
import { factDraft, questionDraft } from "../../support/request-kinds.js";
import { openAsker, tempHome } from "../../support/temp-home.js";

/** A home with an asker that files into it. */
function openFiled() {
  const home = tempHome();
  return { home, channel: openAsker(home).channel };
}

/** Has `channel` take every answer, and hears each. */
function answersTo(channel: DirectoryChannel): readonly Answer[] {
  const answers: Answer[] = [];
  channel.changes((id) => {
    const news = id === null ? null : channel.take(id);
    if (id === null || news?.kind !== "answer") return;
    answers.push(news.taken.answer);
    channel.settle(id, { outcome: "answered", taken: news.taken, ran: null });
  });
  return answers;
}

describe("facts and questions in plain chat", () => {
  it.each<[string, Draft, string | null, string, Partial<Answer>]>([
    [
      "/facts keep ID",
      factDraft(),
      null,
      "kept (project, terminal): api · test command — ",
      { scope: "project" },
    ],
    ["/facts keep ID global", factDraft(), "y", "kept (global, terminal): api", { scope: "always" }],
    ["/facts drop ID", factDraft(), null, "dropped (terminal): api", { decision: "drop", scope: null }],
    ["/facts drop ID for-good", factDraft(), null, "dropped for good (terminal): api", { scope: "always" }],
    [
      "/questions answer ID",
      questionDraft(),
      "2",
      'answered (terminal): Which database? — for stdio: "SQLite"\n',
      { values: ["lite"] },
    ],
    [
      "/questions decline ID ask  Ada",
      questionDraft(),
      null,
      'declined (terminal): Which database? — for stdio: "ask  Ada"\n',
      { note: "ask  Ada" },
    ],
  ])("%s is decided as it says", async (command, draft, typed, told, given) => {
    const { home, channel } = openFiled();
    const { id } = channel.file(draft, []);
    const answers = answersTo(channel);
    const { terminal, says } = chattingIn(home);
    if (typed !== null) terminal.type(typed);
    expect(await says(command.replace("ID", id))).toContain(told);
    expect(answers).toEqual([expect.objectContaining({ id, via: "chat", ...given })]);
  });

  it.each([
    ["/facts keep", factDraft(), "/facts drop", "dropped ("],
    ["/questions answer", questionDraft(), "/questions decline", "declined ("],
  ])("%s tells first what was not told, and asks, and %3$s does not", async (yes, draft, no, told) => {
    const { home, channel } = openFiled();
    const inbox = fakeInbox([], home);
    const { terminal, says } = chatting(inbox, { home });
    const { id } = channel.file(draft, []);
    answersTo(channel);
    terminal.type("n");
    const text = await says(`${yes} ${id}`, `${no} ${id}`);
    expect(text).toContain(`waits: ${id}`);
    expect(terminal.questions).toEqual([
      `${id} was not told here before. Type y and Enter to go on; anything else answers nothing: `,
    ]);
    expect(text).toContain(`Not answered: ${id}.\n`);
    expect(text).toContain(told);
  });

  it("an empty answer answers nothing, and chat goes on", async () => {
    const { home, channel } = openFiled();
    const { id } = channel.file(questionDraft(), []);
    const answers = answersTo(channel);
    const { terminal, says } = chattingIn(home);
    terminal.type("");
    terminal.type("1");
    const text = await says(`/questions answer ${id}`, `/questions answer ${id}`);
    expect(text).toContain(`Not answered: ${id} still waits.\n`);
    expect(text).toContain(`To decline it: /questions decline ${id}\n`);
    expect(answers).toEqual([expect.objectContaining({ values: ["pg"] })]);
  });

  it.each([
    ["/approvals approve", factDraft(), "/facts keep"],
    ["/facts keep", approvalDraft(), "/approvals approve"],
    ["/facts drop", questionDraft(), "/questions decline"],
    ["/approvals deny", questionDraft(), "/questions decline"],
    ["/questions answer", factDraft(), "/facts keep"],
  ])("%s of another kind names the right command", async (command, draft, right) => {
    const home = tempHome();
    const { id } = openAsker(home).channel.file(draft, []);
    expect(await chattingIn(home).says(`${command} ${id}`)).toContain(`${right} ${id}`);
  });
});
