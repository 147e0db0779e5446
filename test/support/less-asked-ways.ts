/** Ways to be asked less that an agent has who may write every file of the home but those below `keys/`. */
import { appendFileSync, copyFileSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sealedPath } from "../../src/broker/files/sealed.js";
import { rule, type Scene } from "./less-asked.js";
import { dayMs } from "./remembered.js";

/** One of them, and what a person reads of it: in the request, or on the standard error of the server. */
export interface Way {
  readonly name: string;
  readonly run: (scene: Scene) => void | Promise<void>;
  readonly says: RegExp;
  /** Is a person's `wisp accept` all that is missing? Then it runs unasked after that, so the way is a way. */
  readonly runsAccepted: boolean;
}

const looser = /: 1 looser rule waits for: WISP_HOME=\S+ wisp accept/;
/** One that only the seal stops. */
const sealed = (name: string, run: Way["run"], says: RegExp = looser): Way => ({
  name,
  run,
  says,
  runsAccepted: true,
});
/** One that something else stops as well. */
const stopped = (name: string, run: Way["run"], says: RegExp = looser): Way => ({
  name,
  run,
  says,
  runsAccepted: false,
});

/** Puts `content` elsewhere in the home, and a link to it at `name`. */
function linked({ home, pathOf }: Scene, name: Parameters<Scene["pathOf"]>[0], content: unknown): void {
  const other = join(home.path, `other-${name}`);
  writeFileSync(other, JSON.stringify(content), { mode: 0o600 });
  symlinkSync(other, pathOf(name));
}

const policy = (permissions: object) => ({ permissions });

function writeProject(directory: string, permissions: object): void {
  mkdirSync(join(directory, ".wisp"), { recursive: true });
  writeFileSync(join(directory, ".wisp", "policy.json"), JSON.stringify(policy(permissions)));
}

/** With the person's rules. */
const ofPolicy: readonly Way[] = [
  sealed("an allow rule in policy.json", (on) => on.write("policy.json", policy({ allow: [rule] }))),
  sealed("an allow rule for everything", (on) => on.write("policy.json", policy({ allow: ["Bash"] }))),
  stopped("a rule with a look-alike letter", (on) =>
    on.write("policy.json", policy({ allow: ["Bash(еcho *)"] })),
  ),
  sealed(
    "an exception to an ask rule that was accepted",
    async (on) => {
      const before = { allow: ["Bash(echo *)"], ask: ["Bash(echo *)"] };
      on.write("policy.json", policy(before));
      await on.accepts("accept");
      on.write("policy.json", policy({ ...before, ask: [{ rule: "Bash(echo *)", unless: [rule] }] }));
    },
    /policy\.json: \d looser rules? waits? for: WISP_HOME=\S+ wisp accept/,
  ),
  sealed("an ask rule taken out that was accepted", async (on) => {
    on.write("policy.json", policy({ allow: ["Bash(echo *)"], ask: [rule] }));
    await on.accepts("accept");
    on.write("policy.json", policy({ allow: ["Bash(echo *)"] }));
  }),
  stopped(
    "policy.json as a link to another that allows",
    (on) => linked(on, "policy.json", policy({ allow: ["Bash"] })),
    /policy\.json cannot be used: symbolic link/,
  ),
  stopped(
    "an allow rule in the project's file",
    ({ work }) => writeProject(work, { allow: [rule] }),
    /\/work\/\.wisp\/policy\.json:1.*a project's file allows nothing/,
  ),
  stopped(
    "an allow rule in a file above the project",
    ({ root }) => writeProject(root, { allow: [rule] }),
    /\.wisp\/policy\.json:1.*a project's file allows nothing/,
  ),
  stopped(
    "the project's file as a link",
    ({ root, work }) => {
      const other = join(root, "other.json");
      writeFileSync(other, JSON.stringify(policy({ allow: [rule] })));
      mkdirSync(join(work, ".wisp"));
      symlinkSync(other, join(work, ".wisp", "policy.json"));
    },
    /policy\.json cannot be used: symbolic link/,
  ),
  stopped(
    "the project's .wisp as a link to rules that allow",
    ({ root, work }) => {
      writeProject(join(root, "elsewhere"), { allow: [rule] });
      symlinkSync(join(root, "elsewhere", ".wisp"), join(work, ".wisp"));
    },
    /a project's file allows nothing|cannot be used/,
  ),
];

/** With what is remembered. */
const ofRemembered: readonly Way[] = [
  sealed("an entry in remembered.json", (on) => on.writeRemembered(on.wanted())),
  sealed("an entry for always", (on) => on.writeRemembered(on.wanted({ scope: "always", directory: null }))),
  stopped("an entry that was made in the future", (on) =>
    on.writeRemembered(on.wanted({ createdAt: Date.now() + dayMs })),
  ),
  stopped(
    "a rule of the person that is dated in the future",
    async (on) => {
      await on.remembered.remember(on.wanted({ createdAt: Date.now() + dayMs }));
    },
    /it is dated in the future/,
  ),
  stopped(
    "remembered.json in the form of a policy",
    (on) => on.write("remembered.json", policy({ allow: [rule] })),
    /remembered\.json cannot be used/,
  ),
  stopped(
    "remembered.json as a link",
    (on) => linked(on, "remembered.json", { permissions: { remembered: [on.wanted()] } }),
    /remembered\.json cannot be used: symbolic link/,
  ),
  sealed("what was taken back, put back", async (on) => {
    const kept = await on.remembered.remember(on.wanted());
    const text = on.read("remembered.json");
    await on.remembered.revoke(kept.id);
    on.write("remembered.json", text);
  }),
  sealed("what is over, with a later end", async (on) => {
    const kept = await on.remembered.remember(on.wanted({ expiresAt: Date.now() - 1 }));
    on.writeRemembered({ ...kept, expiresAt: Date.now() + dayMs });
  }),
  sealed("a rule for another directory, for here", async (on) => {
    const kept = await on.remembered.remember(on.wanted({ directory: "/home/p/other" }));
    on.writeRemembered({ ...kept, directory: on.work });
  }),
  sealed("a rule for another command, made wider", async (on) => {
    const kept = await on.remembered.remember(on.wanted({ rule: "Bash(echo nothing)" }));
    on.writeRemembered({ ...kept, rule: "Bash(echo *)" });
  }),
  stopped(
    "a program of the same name, earlier on the PATH than the one of a remembered rule",
    async (on) => {
      await on.remembered.remember(on.wanted());
      on.plant(join(on.early, "echo"), "planted");
    },
    /another program file/,
  ),
  stopped(
    "an ask rule in front of a remembered rule, with the rule's own exception",
    async (on) => {
      await on.remembered.remember(on.wanted({ askedBy: "Bash(echo *)" }));
      on.write("policy.json", policy({ ask: [{ rule: "Bash(echo *)", unless: [rule] }] }));
    },
    /another rule asks now/,
  ),
  stopped(
    "an ask rule that a person took out, put back for what was remembered under it",
    async (on) => {
      const [before, now] = ["Bash(echo *)", rule];
      await on.remembered.remember(on.wanted({ askedBy: before }));
      on.write("policy.json", policy({ ask: [now] }));
      await on.accepts("y");
      on.write("policy.json", policy({ ask: [before, now] }));
    },
    /another rule asks now/,
  ),
  sealed("remembered.json of another home, with the seal it has there", async (on) => {
    const other = await sealedElsewhere(on);
    copyFileSync(join(other, "remembered.json"), on.pathOf("remembered.json"));
    mkdirSync(join(on.home.path, "sealed"), { mode: 0o700 });
    copyFileSync(sealedPath(other, "remembered.json"), join(on.home.path, "sealed", "remembered.json"));
  }),
];

/** The home of an agent's own, in which the rule that it wants is in force. */
async function sealedElsewhere({ wanted, elsewhere }: Scene): Promise<string> {
  const other = elsewhere();
  await other.remembered.remember(wanted());
  return other.home.path;
}

/** With what the log and the directories of the home say. */
const ofRecords: readonly Way[] = [
  sealed(
    "lines of the log under a mac of nothing that say it was approved",
    async (on) => {
      await on.settled();
      const details = { rule: "wanted22", text: rule, scope: "always", via: "cli" };
      const line = { v: 1, seq: 2, kind: "rule.remembered", call: "abcdefgh", details, mac: "0".repeat(64) };
      appendFileSync(join(on.home.path, "audit", "log.jsonl"), `${JSON.stringify(line)}\n`);
      on.writeRemembered(on.wanted());
    },
    looser,
  ),
];

/** With a key of the configuration each. */
const ofConfig: readonly Way[] = Object.entries({
  "approval.threshold": { approval: { threshold: "dangerous" } },
  "approval.ancestry": { approval: { ancestry: "never" } },
  "approval.clients": { approval: { clients: { "claude-code": { shell: false } } } },
  "approval.timeoutSeconds": { approval: { timeoutSeconds: 0 } },
  "approval.outOfBand": { approval: { outOfBand: false } },
  "notify.command": { notify: { command: ["/tmp/x"] } },
}).map(([key, config]) =>
  (key === "approval.threshold" ? sealed : stopped)(
    `the key ${key}`,
    (on) => on.write("config.json", config),
    new RegExp(`config\\.json: ${key.replace(".", "\\.")} waits for: WISP_HOME=\\S+ wisp accept`),
  ),
);

/** Each is tried before a call that asked before. */
export const ways: readonly Way[] = [...ofPolicy, ...ofRemembered, ...ofRecords, ...ofConfig];
