/** What an agent's shell can do to have a fact forgotten, with the built program. */
import { expect, it } from "vitest";
import { inPythonTerminal, startAgent } from "../support/agent.js";
import { wispProgram } from "../support/built.js";
import { startInPty } from "../support/pty.js";

it("an agent that makes a terminal of its own cannot have a fact forgotten; a person outside is let through", async () => {
  const agent = await startAgent("claude-code");
  const line = `${process.execPath} ${wispProgram} facts forget abcdefgh`;
  expect((await agent.runs(inPythonTerminal(line))).exit).toBe(10);
  const person = startInPty([process.execPath, wispProgram, "facts", "forget", "abcdefgh"], {
    isApart: true,
    directory: agent.work,
    environment: { PATH: process.env.PATH, HOME: agent.root, WISP_HOME: agent.home },
  });
  // There is no such fact: that is looked for after the look at this process.
  expect(await person.ended).toBe(3);
});
