/** A real server on a home that an agent writes to: every file of it but those below `keys/`. */
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
export const greet = ["greet", "everybody"];
export const rule = "Bash(greet everybody)";

export type Scene = ReturnType<typeof lessAskedScene>;

/** How a call went: what it asked, or null where nobody was asked, and its result. */
export interface Called {
  readonly request: ApprovalRequest | null;
  readonly result: Promise<ToolResult>;
}

/** The home, a program on the PATH behind a directory that is empty, and servers on all of it. */
export function lessAskedScene() {
  const root = realpathSync(tempDirectory());
  const made = acceptingHome();
  const [early, bin, work] = ["early", "bin", "work"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [early, bin, work]) mkdirSync(path);
  const program = join(bin, "greet");
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
      ...ruleDraft(Date.now() - 1_000, { rule, directory: work, program }),
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
            PATH: `${early}:${bin}:${process.env.PATH}`,
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
  scene.plant(program, "greeted");
  return scene;
}
