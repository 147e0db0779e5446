/** The built gate where nothing is asked: a client cannot tell it from the server behind it. */
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { wispProgram } from "../support/built.js";
import { httpTranscriptOf } from "../support/http-transcript.js";
import { bothEras } from "../support/http-upstreams.js";
import { makePlaces } from "../support/mcp-server.js";
import { acceptPolicy } from "../support/policy-files.js";
import { gated, published } from "../support/published-servers.js";
import { type Step, type Transcript, transcriptOf } from "../support/transcript.js";
import {
  everythingScript,
  oddScript2025,
  oddScript2026,
  todaysScript2025,
  todaysScript2026,
  webScript2025,
  webScript2026,
} from "../support/transparency-scripts.js";

/** The script on the server directly, and then through a gate that lets every call pass. */
async function bothRuns(
  argv: readonly string[],
  steps: readonly Step[],
): Promise<readonly [Transcript, Transcript]> {
  const places = makePlaces();
  onTestFinished(() => places.remove());
  await acceptPolicy(places.home, { allow: ["mcp__seen__*"] });
  const { PATH = "" } = process.env;
  const environment = { PATH, HOME: places.root, UNHEARD_OF: "1" };
  const directly = await transcriptOf(argv, steps, { directory: places.work, environment });
  const through = await transcriptOf(gated(argv, "--name", "seen"), steps, {
    directory: places.work,
    environment: { ...environment, WISP_HOME: places.home },
  });
  return [directly, through];
}

function worker(name: string): readonly string[] {
  return [process.execPath, fileURLToPath(new URL(`workers/${name}`, import.meta.url))];
}

/** Without what differs from one run of the reference server to the next: times, and an id that it makes up. */
function timeless(line: string): string {
  return line
    .replace(/\d{1,2}:\d{2}:\d{2} [AP]M/g, "TIME")
    .replace(/"blob":"UmVzb3VyY2[\w+/=]*"/g, '"blob":"TIME"')
    .replace(/"elicitationId":"[\w-]{36}"/g, '"elicitationId":"ID"');
}

/** It still tells of what was cancelled, somewhere among the answers that follow. */
function isOfCancelled(line: string): boolean {
  return line.includes('"progress":2,"total":2,"progressToken":40');
}

test("the reference server says the same through the gate, line for line", async () => {
  const [directly, through] = await bothRuns([...published.everything, "stdio"], everythingScript);
  const compared = ({ lines }: Transcript) => lines.filter((line) => !isOfCancelled(line)).map(timeless);
  expect(compared(through)).toEqual(compared(directly));
  expect(through.errors).toBe(directly.errors);
});

test.for([
  ["2025", oddScript2025],
  ["2026", oddScript2026],
] as const)("what no SDK writes passes in the %s era, byte for byte", async ([, steps]) => {
  const [directly, through] = await bothRuns(worker("odd-upstream.mjs"), steps);
  expect(through.lines).toEqual(directly.lines);
  expect(through.output.equals(directly.output)).toBe(true);
  expect(through.end).toBe(directly.end);
  expect(directly.end).toBe(3);
});

test.for([
  ["2025", todaysScript2025],
  ["2026", todaysScript2026],
] as const)("a server of today says the same in the %s era, line for line", async ([, steps]) => {
  const [directly, through] = await bothRuns(worker("both-eras.mjs"), steps);
  expect(through.lines).toEqual(directly.lines);
  expect(through.end).toBe(directly.end);
});

/** The values alone: the way to an address writes them anew. */
function valuesOf(line: string): unknown {
  return JSON.parse(line);
}

test.for([
  ["2025", webScript2025],
  ["2026", webScript2026],
] as const)(
  "a server at an address says the same in the %s era as to a client of its own, value for value",
  async ([, steps]) => {
    const places = makePlaces();
    onTestFinished(() => places.remove());
    await acceptPolicy(places.home, { allow: ["mcp__seen__*"] });
    const directly = await httpTranscriptOf((await bothEras()).url, steps);
    const server = await bothEras();
    const gate = [process.execPath, wispProgram, "gate", "--name", "seen", "--url", `${server.url}`];
    const { PATH = "" } = process.env;
    const environment = { PATH, HOME: places.root, WISP_HOME: places.home };
    const through = await transcriptOf(gate, steps, { directory: places.work, environment });
    expect(through.lines.map(valuesOf)).toEqual(directly.map(valuesOf));
    expect(directly.length).toBeGreaterThan(steps.length - 3);
    expect([through.end, through.errors]).toEqual([0, ""]);
  },
);
