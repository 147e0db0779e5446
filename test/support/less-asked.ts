/** A real server on a home that an agent writes to: every file of it but those below `keys/`. */
import { existsSync, mkdirSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { programIdentity } from "../../src/broker/policy/program-file.js";
import type { RememberedRule } from "../../src/broker/policy/remembered.js";
import type { ApprovalRequest } from "../../src/broker/request/request.js";
import { acceptingHome } from "./accepting.js";
import { openFace } from "./face.js";
import { GrantsHome } from "./grants-home.js";
import { connectInMemory, type MemoryServer, waitingProgress } from "./mcp-server.js";
import type { ToolResult } from "./raw-client.js";
import { ruleDraft } from "./remembered.js";
import { tempDirectory } from "./temp-home.js";

/** What `run_command` is called with again and again, and the rule that would let it run. */
export const greet = ["echo", "greeted"];
export const rule = "Bash(echo greeted)";

/** Where that lies: of a program that whoever works here may change nothing is remembered. */
const program = ["/usr/bin/echo", "/bin/echo"].find((path) => existsSync(path)) ?? "";

export type Scene = ReturnType<typeof lessAskedScene>;

/** How a call went: what it asked, or null where nobody was asked, and its result. */
export interface Called {
  readonly request: ApprovalRequest | null;
  readonly result: Promise<ToolResult>;
}

/** The home, a directory before all others on the PATH that is empty, and servers on all of it. */
export function lessAskedScene() {
  const root = realpathSync(tempDirectory());
  const made = acceptingHome();
  const [early, work] = ["early", "work"].map((name) => join(root, name)) as [string, string];
  for (const path of [early, work]) mkdirSync(path);
  const scene = {
    ...made,
    root,
    early,
    work,
    program,
    face: openFace(made.home.path),
    /** Writes a program that prints `says`. */
    plant: (path: string, says: string) => writeFileSync(path, `#!/bin/sh\necho ${says}\n`, { mode: 0o755 }),
    /** A rule as the agent would like it. */
    wanted: (overrides: Partial<RememberedRule> = {}): RememberedRule => ({
      id: "wanted22",
      ...ruleDraft(Date.now() - 1_000, {
        ...{ rule, directory: work, program },
        programIdentity: identityOf(program),
      }),
      ...overrides,
    }),
    /** Writes a file of the home, as `made.write` does, with these remembered rules. */
    writeRemembered: (...rules: readonly unknown[]) =>
      made.write("remembered.json", { permissions: { remembered: rules } }),
    /** A server that was started now. */
    serve: (environment: Readonly<Record<string, string>> = {}): Promise<MemoryServer> =>
      connectInMemory(
        {},
        {
          environment: {
            WISP_HOME: made.home.path,
            PATH: `${early}:${dirname(program)}:${process.env.PATH}`,
            ...environment,
          },
        },
      ),
    /** Calls, and resolves once it waits for a person or is over. */
    async call({ client }: MemoryServer, args: object = {}): Promise<Called> {
      const progressToken = `p${client.received.length}`;
      const call = client.call("run_command", { argv: greet, directory: work, ...args }, { progressToken });
      const result = client.resultOf(call);
      const waits = waitingProgress(client, progressToken).then(() => true);
      const isAsked = await Promise.race([waits, result.then(() => false)]);
      return { request: isAsked ? scene.face.only() : null, result };
    },
    /** A home of the agent's own. */
    elsewhere: () => acceptingHome(),
    /** A call that is over, so that there is a log. */
    async settled(): Promise<void> {
      const server = await scene.serve();
      const { request, result } = await scene.call(server, { argv: ["true"] });
      if (request !== null) scene.face.approve(request);
      await result;
    },
    /** What lies there of approvals that were kept, as `wisp approvals granted` and `wisp doctor` tell it. */
    granted: () => new GrantsHome(made.home.path).open().list(),
  };
  return scene;
}

/** Of the file as it is now, as a server says it. */
function identityOf(path: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  const [device, inode, mtime, changedAt] = [dev, ino, mtimeNs, ctimeNs].map(String) as [
    string,
    string,
    string,
    string,
  ];
  return programIdentity({ device, inode, size: String(size), mtime, changedAt });
}
