/** What an agent's shell can do to keep its own agent's fact or answer its question, with the built programs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import {
  type Agent,
  answering,
  inPythonTerminal,
  needs,
  startAsker,
  startProposer,
} from "../support/agent.js";
import { testCommand } from "../support/fact-server.js";
import { replyPrompt, test } from "../support/person.js";
import { typists } from "../support/typists.js";

const noTerminal = 4;
const notEnough = 10;
const within = "assurance_insufficient: within_client";
const answer = "swordfish";

const reasonsIn = (agent: Pick<Agent, "answers">) =>
  agent.answers("answer.refused").map(({ details }) => details.reason);

describe("an agent of a client that gives it a shell", () => {
  test("cannot keep its own fact, whose server lives; it waits for a person, who can", async ({
    person,
    skip,
  }) => {
    needs(["script", "setsid"], { skip });
    const agent = await startProposer("claude-code", testCommand);
    const keep = answering(`facts keep ${agent.request.id}`);
    const routes = [
      [`printf 'y\\n' | ${keep}`, noTerminal],
      [`${keep} </dev/tty 2>/dev/tty`, notEnough],
      [inPythonTerminal(keep), notEnough],
      [`setsid -w script -qec "${keep}" /dev/null`, notEnough],
    ] as const;
    for (const [line, exit] of routes) expect(await agent.runs(line), line).toMatchObject({ exit });
    expect(reasonsIn(agent)).toEqual([within, within, within]);
    expect(agent.answers("fact.answered")).toEqual([]);
    await person.types(agent.home, "facts", "keep", agent.request.id);
    expect(agent.answers("fact.answered")).toMatchObject([
      { details: { decision: "keep", assurance: "terminal" }, verified: { within: null } },
    ]);
    expect(agent.face.receiptOf(agent.request.id)).toMatchObject({
      outcome: "answered",
      verified: { terminal: true, ancestry: true },
    });
  });

  test.for(typists)(
    "cannot have its own question answered in a terminal by %s; a person's answer is told",
    async ([program, script], { person, skip }) => {
      needs([program], { skip });
      const agent = await startAsker("claude-code", { question: "Which word?" });
      writeFileSync(join(agent.work, "typist"), script);
      const line = answering(`questions answer ${agent.request.id}`);
      expect(await agent.runs(`printf 'mine\\n' | ${line}`)).toMatchObject({ exit: noTerminal });
      const ran = await agent.runs(`${program} typist mine "${replyPrompt}" sh -c "${line}"`);
      expect(ran).toMatchObject({ exit: notEnough, out: expect.stringContaining("Which word?") });
      expect(reasonsIn(agent)).toEqual([within]);
      expect(agent.answers("question.answered")).toEqual([]);
      await person.replies(agent.home, agent.request, answer);
      const { structuredContent } = await agent.result;
      expect(structuredContent).toMatchObject({ outcome: "answered", answer: { text: answer } });
      expect(agent.answers("question.answered")).toMatchObject([{ verified: { within: null } }]);
      expect(agent.face.receiptOf(agent.request.id)).toMatchObject({
        verified: { terminal: true, ancestry: true },
      });
    },
  );
});
