/** A client and its server, from the first word to the last. */
import { type Agent, type AgentOptions, startAgent } from "./agent.js";
import type { DemoOptions } from "./demo-options.js";

/** The client of one scene. */
export interface AgentRole extends Pick<AgentOptions, "name" | "dialog"> {
  /** What its server is started with besides. */
  readonly flags: readonly string[];
}

/**
 * Whatever happens in `run`, the server is gone afterwards: what it still writes must not outlive the throw-away home.
 * What it wrote on standard error is told with what `run` throws.
 */
export async function withAgent<Result>(
  { server, project, environment, narrator }: DemoOptions,
  { name, dialog, flags }: AgentRole,
  run: (agent: Agent) => Promise<Result>,
): Promise<Result> {
  const words = [...server, ...flags];
  const agent = await startAgent({ name, server: words, directory: project, environment, dialog });
  const program = ["wisp mcp", ...flags].join(" ");
  narrator.step("started", `${program}, process ${agent.serverPid}, for the client ${name}`);
  try {
    return await run(agent);
  } catch (error) {
    const complaints = agent.complaints().trim();
    if (complaints === "") throw error;
    throw new Error(`${messageOf(error)} The server said: ${complaints}`, { cause: error });
  } finally {
    await agent.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
