/** A built server of a client without dialogs, in places of its own. */
import { onTestFinished } from "vitest";
import { wispProgram } from "./built.js";
import { type Face, openFace } from "./face.js";
import type { TestEra } from "./fact-server.js";
import { makePlaces, type Places, printing, waitingProgress } from "./mcp-server.js";
import { sendLeg } from "./modern-client.js";
import { type ServerProcess, startServer } from "./raw-client.js";

export interface Served extends Places {
  readonly server: ServerProcess;
  readonly face: Face;
}

/** A server of a client without dialogs; `around` is what starts it. It ends with the running test. */
export async function serve(places: Places, around: readonly string[] = []): Promise<Served> {
  const served = startServed(places, around);
  await served.server.client.initialize();
  return served;
}

/** The same before its client has said anything, which one of 2026 need not do. */
export function startServed(places: Places, around: readonly string[] = []): Served {
  const server = startServer([...around, process.execPath, wispProgram, "mcp"], {
    directory: places.work,
    environment: { HOME: places.root, WISP_HOME: places.home },
  });
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  });
  return { ...places, server, face: openFace(places.home) };
}

/** Places that are removed when everything in them has ended. */
export function ownPlaces(): Places {
  const places = makePlaces();
  onTestFinished(() => places.remove());
  return places;
}

/** Calls, and resolves once what is asked waits. */
export async function asks({ server: { client } }: Served, args: object = printing): Promise<number> {
  const progressToken = `${client.received.length}`;
  const call = client.call("run_command", { ...args }, { progressToken });
  await waitingProgress(client, progressToken);
  return call;
}

/** The same for a question to the person, which a client of either era may ask. */
export async function asksPerson(
  { server: { client } }: Served,
  args: object,
  era: TestEra = "2025",
): Promise<number> {
  const progressToken = `${client.received.length}`;
  const call =
    era === "2025"
      ? client.call("ask_person", { ...args }, { progressToken })
      : sendLeg(client, { args: { ...args }, tool: "ask_person", capabilities: {}, progressToken });
  await waitingProgress(client, progressToken);
  return call;
}
