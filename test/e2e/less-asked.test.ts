/**
 * An agent that may write every file of the home but those below `keys/` wants to be asked less. After each way the same
 * call of a real server asks a person, and says what was tried; a person's yes still lets it run.
 */
import { cpSync, mkdirSync, readdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { yesTo } from "../support/grants.js";
import { GrantsHome } from "../support/grants-home.js";
import { greet, lessAskedScene, rule, type Scene } from "../support/less-asked.js";
import { ways } from "../support/less-asked-ways.js";

const allowed = { outcome: "approved", scope: "project", stdout: "greeted\n" };

/** A call that asked; a person says yes, once. */
async function asked(scene: Scene, args: object = {}) {
  const server = await scene.serve();
  const { request, result } = await scene.call(server, args);
  if (request === null)
    throw new Error(`nobody was asked: ${JSON.stringify((await result).structuredContent)}`);
  scene.face.approve(request);
  expect((await result).structuredContent).toMatchObject({ outcome: "approved", scope: "once" });
  return { request, reads: [...request.reasons, ...server.said].join("\n"), result: await result };
}

describe("an agent that may write every file but those below keys/", () => {
  it.each(ways.map((one) => [one.name, one] as const))(
    "is asked all the same after %s, and a person reads of it",
    async (_name, { run, says, runsAccepted }) => {
      const scene = lessAskedScene();
      await run(scene);
      expect((await asked(scene)).reads).toMatch(says);
      if (!runsAccepted) return;
      expect((await scene.accepts("accept")).exit).toBe(0);
      const { request, result } = await scene.call(await scene.serve());
      expect(request).toBeNull();
      expect((await result).structuredContent).toMatchObject({ outcome: "approved" });
    },
  );

  it("finds its forged lines of the log stamped into every record from then on", async () => {
    const scene = lessAskedScene();
    await ways.find(({ name }) => name.startsWith("lines of the log"))?.run(scene);
    await asked(scene);
    expect(scene.face.audit().at(-1)).toMatchObject({ head_fault: "records_not_ours" });
  });

  it("answers for always with a rule that was not offered, and the answer is refused", async () => {
    const scene = lessAskedScene();
    const server = await scene.serve();
    const first = await scene.call(server);
    if (first.request === null) throw new Error("nobody was asked");
    expect(first.request.remember?.offers.map((offer) => offer.rule)).not.toContain("Bash");
    scene.face.approve(first.request, { scope: "always", rule: "Bash" });
    const refused = () => scene.face.audit().filter(({ kind }) => kind === "answer.refused");
    await expect.poll(() => refused().length).toBe(1);
    expect(refused()[0]?.details).toMatchObject({
      reason: expect.stringContaining("its rule was not offered"),
    });
    expect(readdirSync(scene.home.path)).not.toContain("remembered.json");
    scene.face.approve(first.request);
    expect((await first.result).structuredContent).toMatchObject({ scope: "once", stdout: "greeted\n" });
    await asked(scene);
  });

  it("plants approvals: one under a mac of nothing and those of another home", async () => {
    const scene = lessAskedScene();
    const other = lessAskedScene();
    const elsewhere = await other.serve();
    const { request, result } = await other.call(elsewhere, { directory: scene.work });
    if (request === null) throw new Error("nobody was asked");
    other.face.approve(request, { scope: "session" });
    await result;
    await new GrantsHome(other.home.path).open().keep(yesTo());
    // As after the first yes that was used here.
    await scene.settled();
    mkdirSync(join(scene.home.path, "keys", "spent"), { mode: 0o700, recursive: true });
    cpSync(join(other.home.path, "grants"), join(scene.home.path, "grants"), { recursive: true });
    const forged = { v: 1, id: "wanted22", rule, mac: "0".repeat(64) };
    writeFileSync(join(scene.home.path, "grants", "wanted22.json"), JSON.stringify(forged), { mode: 0o600 });
    // A rule of a session is in the memory of its server; what lies here only lets a person revoke it.
    expect(scene.granted()).toMatchObject({
      sessions: [{ rule: { request: request.id } }],
      unspent: [{ fault: "its seal is not ours" }],
      unreadable: 1,
    });
    await asked(scene);
  });

  it("plants a program of the same name: a remembered rule counts for its file alone, an allow rule for the word", async () => {
    const scene = lessAskedScene();
    await scene.remembered.remember(scene.wanted());
    const before = await scene.call(await scene.serve());
    expect((await before.result).structuredContent).toMatchObject(allowed);
    scene.plant(join(scene.early, "echo"), "planted");
    const planted = await asked(scene);
    expect(planted.reads).toContain("another program file");
    expect(planted.request.subject).toMatchObject({ program: { path: join(scene.early, "echo") } });
    expect(planted.request.scopes).toEqual(["once", "session"]);
    // A person who allows a word allows whatever the PATH of the server says it is (SECURITY.md).
    scene.write("policy.json", { permissions: { allow: [rule] } });
    expect((await scene.accepts("accept")).exit).toBe(0);
    const after = await scene.call(await scene.serve());
    expect((await after.result).structuredContent).toMatchObject({ via: "policy", stdout: "planted\n" });
    // A path is a word, too, and leads to one file.
    scene.write("policy.json", { permissions: { allow: [`Bash(${scene.program} *)`] } });
    expect((await scene.accepts("accept")).exit).toBe(0);
    const named = await scene.call(await scene.serve(), { argv: [scene.program, "greeted"] });
    expect((await named.result).structuredContent).toMatchObject({ via: "policy", stdout: "greeted\n" });
  });

  it.each([
    ["before the command", ["env", "WISP_HOME=/tmp/elsewhere", ...greet]],
    ["for a shell", ["sh", "-c", `WISP_HOME=/tmp/elsewhere ${greet.join(" ")}`]],
    ["for our own program", ["env", "WISP_HOME=/tmp/elsewhere", "wisp", "accept"]],
  ])(
    "names another home in the environment of a call, %s: the server goes by its own",
    async (_how, argv) => {
      const scene = lessAskedScene();
      await scene.remembered.remember(scene.wanted());
      const { request } = await scene.call(await scene.serve(), { argv });
      expect(request).toMatchObject({ subject: { argv } });
      if (request !== null) scene.face.deny(request);
      expect((await (await scene.call(await scene.serve())).result).structuredContent).toMatchObject(allowed);
    },
  );

  it("runs its command in another directory: what the project of the server denies is denied there, too", async () => {
    const scene = lessAskedScene();
    const server = await scene.serve();
    const file = join(server.work, ".wisp", "policy.json");
    mkdirSync(join(server.work, ".wisp"));
    writeFileSync(file, JSON.stringify({ permissions: { deny: [rule] } }));
    for (const directory of [server.work, scene.work, "/"]) {
      const { request, result } = await scene.call(server, { directory });
      expect([request, (await result).structuredContent?.code]).toEqual([null, "policy_refused"]);
    }
    unlinkSync(file);
    await asked(scene);
  });

  it("puts a link in the place of the home: nothing runs, and the reason is told", async () => {
    const scene = lessAskedScene();
    await scene.remembered.remember(scene.wanted());
    renameSync(scene.home.path, join(scene.root, "moved"));
    symlinkSync(join(scene.root, "moved"), scene.home.path);
    const { request, result } = await scene.call(await scene.serve());
    expect(request).toBeNull();
    const { isError, content } = await result;
    expect([isError, content?.[0]?.text]).toEqual([true, expect.stringContaining("symbolic link")]);
    unlinkSync(scene.home.path);
    renameSync(join(scene.root, "moved"), scene.home.path);
    expect((await (await scene.call(await scene.serve())).result).structuredContent).toMatchObject(allowed);
  });

  it("is asked for nothing that a person let through, whatever was tried before", async () => {
    const scene = lessAskedScene();
    for (const { name, run } of ways) if (name.startsWith("an entry")) await run(scene);
    unlinkSync(scene.pathOf("remembered.json"));
    await scene.remembered.remember(scene.wanted());
    const { request, result } = await scene.call(await scene.serve());
    expect([request, (await result).structuredContent]).toEqual([null, expect.objectContaining(allowed)]);
  });
});

describe("what was denied", () => {
  const deny = { permissions: { deny: [rule] } };
  const refused = async (scene: Scene): Promise<unknown> =>
    (await (await scene.call(await scene.serve())).result).structuredContent?.code ?? null;

  it.each([
    ["the rule is deleted", (on: Scene) => on.write("policy.json", { permissions: { deny: ["Bash(ls)"] } })],
    ["the file is deleted", (on: Scene) => unlinkSync(on.pathOf("policy.json"))],
    ["the file is broken", (on: Scene) => on.write("policy.json", "{")],
    [
      "everything is allowed before it",
      (on: Scene) => on.write("policy.json", { permissions: { allow: ["Bash"], ...deny.permissions } }),
    ],
  ])("and accepted stays denied when %s, until a person accepts", async (_name, run) => {
    const scene = lessAskedScene();
    scene.write("policy.json", deny);
    expect((await scene.accepts("y")).exit).toBe(0);
    run(scene);
    expect(await refused(scene)).toBe("policy_refused");
    expect(scene.policy.standing().notices).not.toEqual([]);
    scene.write("policy.json", { permissions: { deny: ["Bash(ls)"] } });
    expect((await scene.accepts("accept")).exit).toBe(0);
    await asked(scene);
  });

  it("and never accepted can be taken back by whoever writes the file; accepted it cannot", async () => {
    const scene = lessAskedScene();
    scene.write("policy.json", deny);
    expect(await refused(scene)).toBe("policy_refused");
    scene.write("policy.json", { permissions: { deny: ["Bash(ls)"] } });
    await asked(scene);
    scene.write("policy.json", deny);
    expect((await scene.accepts("y")).exit).toBe(0);
    scene.write("policy.json", { permissions: { deny: ["Bash(ls)"] } });
    expect(await refused(scene)).toBe("policy_refused");
  });
});

it("what must be proved of an answer stays as strict as it was accepted", async () => {
  const scene = lessAskedScene();
  scene.write("config.json", { approval: { require: { high: "terminal" } } });
  expect((await scene.accepts("y")).exit).toBe(0);
  scene.write("config.json", {});
  expect(scene.settings()).toMatchObject({
    settings: { approval: { require: { high: "terminal" } } },
    waiting: [{ key: "approval.require.high" }],
  });
  await asked(scene);
});
