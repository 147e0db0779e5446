/** A command that an agent runs under a rule and a person approves, as `wisp audit` tells it afterwards. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { homeAt } from "../../src/broker/channel/home.js";
import { runBare, wispOn, wispProgram } from "../support/built.js";
import { openFace } from "../support/face.js";
import { test } from "../support/person.js";
import { writePolicy } from "../support/policy-files.js";
import { startInPty } from "../support/pty.js";
import { startServer } from "../support/raw-client.js";
import { tempDirectory } from "../support/temp-home.js";

test("what was approved in a terminal stands in one line, in a log that holds until a byte of it is changed", async ({
  person,
}) => {
  const directory = tempDirectory();
  const home = homeAt(join(directory, "home"), false);
  const environment = { HOME: directory, WISP_HOME: home.path };
  writePolicy(home.path, { ask: ["Bash(sh *)"] });
  const server = startServer([process.execPath, wispProgram, "mcp"], { directory, environment });
  onTestFinished(() => void server.child.kill("SIGKILL"));
  const { client } = server;
  await client.initialize({ name: "agent-of-tests" });
  const call = client.call("run_command", { argv: ["sh", "-c", "exit 3"], thread: "git" });
  const face = openFace(home.path);
  await expect.poll(() => face.waiting().length, { timeout: 20_000 }).toBe(1);
  const request = face.only();
  await person.approves(home.path, request);
  expect((await client.resultOf(call)).structuredContent).toMatchObject({ exitCode: 3 });
  server.child.stdin?.end();
  await server.ended;

  const audit = (...words: readonly string[]) => runBare(wispOn(home, "audit", ...words));
  const { exit, out, err } = await audit("show", "--client", "agent-of-tests");
  expect([exit, err, out.split("\n").length]).toEqual([0, "", 2]);
  const cells = out.trimEnd().split("\t");
  expect(cells[0]).toMatch(/^\d{4}-\d{2}-\d{2}T/);
  expect([cells[1], ...cells.slice(3, 10)]).toEqual([
    request.id,
    "approved",
    request.level,
    expect.stringMatching(/^agent-of-tests/) as string,
    "cli",
    "terminal",
    "once",
    "exit 3",
  ]);
  const rule = expect.stringMatching(/^ask Bash\(sh \*\) \(policy\.json:\d+\)$/) as string;
  expect(cells.slice(11)).toEqual([rule, directory, "sh -c 'exit 3'"]);
  const screen = startInPty(wispOn(home, "audit", "show"));
  expect(await screen.ended).toBe(0);
  expect(screen.output()).toMatch(
    /^\d\d:\d\d {2}[a-z2-9]{8} {2}\w+ +cli {2}exit 3 {2}\d:\d\d {3}policy\.json:\d+ {2}sh -c 'exit 3'$/m,
  );
  expect(screen.output()).toContain(`  ${request.id}  `);

  expect(await audit("verify")).toMatchObject({ exit: 0, err: "" });
  const path = join(home.path, "audit", "log.jsonl");
  const whole = readFileSync(path);
  const changed = Buffer.from(whole);
  const at = changed.indexOf("exit 3");
  changed.write("exit 4", at);
  writeFileSync(path, changed);
  const line = changed.subarray(0, at).toString("latin1").split("\n").length;
  const bad = await audit("verify");
  expect([bad.exit, bad.out]).toEqual([1, ""]);
  expect(bad.err).toContain(`wisp: audit/log.jsonl:${line} (record ${line}): it is not what was written.`);
  writeFileSync(path, whole);
  expect(await audit("verify")).toMatchObject({ exit: 0, err: "" });
});
