/** Banners of the built programs, posted by scripts that stand in for those of a desktop. */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type BannerPrograms, bannerPrograms } from "../support/banner-programs.js";
import { wispOn, wispProgram } from "../support/built.js";
import { writeAcceptedConfig } from "../support/config-files.js";
import { type Face, openFace } from "../support/face.js";
import { ptyMissing, startInPty } from "../support/pty.js";
import { type ServerProcess, startServer } from "../support/raw-client.js";
import { tempDirectory, tempHome } from "../support/temp-home.js";

// On macOS another program of another name is looked for first.
const program = process.platform === "darwin" ? "terminal-notifier" : "notify-send";

interface Started extends ServerProcess {
  readonly programs: BannerPrograms;
  readonly face: Face;
  readonly directory: string;
}

/** The built server, which finds the programs of `prepare` before all others. */
async function start(prepare: (programs: BannerPrograms) => void, config?: unknown): Promise<Started> {
  const home = tempHome();
  const directory = tempDirectory();
  const programs = bannerPrograms(directory);
  prepare(programs);
  if (config !== undefined) writeAcceptedConfig(home.path, config);
  const PATH = [programs.path, process.env.PATH].join(delimiter);
  const environment = { PATH, HOME: directory, WISP_HOME: home.path, WISP_KEY: "secret" };
  const server = startServer([process.execPath, wispProgram, "mcp"], { directory, environment });
  onTestFinished(async () => {
    server.child.kill("SIGKILL");
    await server.ended;
  });
  await server.client.initialize();
  return { ...server, programs, face: openFace(home.path), directory };
}

describe("a server whose client has no dialog", () => {
  it("has the banner posted by the program of the desktop, and says so in the result and in the log", async () => {
    const { client, programs, face } = await start((all) => all.addRecorder(program));
    const call = client.call("run_command", { argv: ["true"] });
    await expect.poll(() => programs.words(), { timeout: 20_000 }).toHaveLength(1);
    const { id } = face.only();
    const words = programs.words()[0]?.join(" ");
    expect(words).toContain(`wisp approvals approve ${id}`);
    await expect.poll(() => lines(face), { timeout: 20_000 }).toHaveLength(1);
    face.deny(face.only());
    const { structuredContent } = await client.resultOf(call);
    expect(structuredContent?.notifications).toMatchObject([
      { outcome: "posted", route: program, skipped: [] },
    ]);
    expect(lines(face)).toMatchObject([{ call: id, details: { outcome: "posted", route: program } }]);
  });

  it("hands it to the person's own program as well, without what else it knows", async () => {
    const prepare = (all: BannerPrograms): void => {
      all.add(program, "exit 1");
      all.add("tell", `cat > "$HOME/told.part"; env > "$HOME/env"; mv "$HOME/told.part" "$HOME/told"`);
    };
    const { client, face, directory } = await start(prepare, { notify: { command: ["tell"] } });
    const call = client.call("run_command", { argv: ["true"] });
    const told = join(directory, "told");
    await expect.poll(() => existsSync(told), { timeout: 20_000 }).toBe(true);
    expect(JSON.parse(readFileSync(told, "utf8"))).toMatchObject({
      v: 1,
      request: face.only().id,
      client: "raw",
    });
    expect(readFileSync(join(directory, "env"), "utf8")).not.toContain("secret");
    await expect.poll(() => lines(face), { timeout: 20_000 }).toHaveLength(2);
    face.deny(face.only());
    const { structuredContent } = await client.resultOf(call);
    const receipts = structuredContent?.notifications as readonly { readonly outcome: string }[];
    expect(receipts.map(({ outcome }) => outcome).toSorted()).toEqual(["failed", "posted"]);
  });

  it("gives its result and ends while a program hangs, and ends that", async () => {
    const hanging = `echo $$ > "$HOME/pid.part"; mv "$HOME/pid.part" "$HOME/pid"; exec sleep 300`;
    const { client, child, ended, face, directory } = await start((all) => all.add(program, hanging));
    const call = client.call("run_command", { argv: ["true"] });
    const written = join(directory, "pid");
    await expect.poll(() => existsSync(written), { timeout: 20_000 }).toBe(true);
    face.deny(face.only());
    expect((await client.resultOf(call)).structuredContent).toMatchObject({ outcome: "denied" });
    child.stdin?.end();
    expect(await ended).toEqual({ code: 0, signal: null });
    const pid = Number(readFileSync(written, "utf8"));
    await expect.poll(() => isThere(pid), { timeout: 20_000 }).toBe(false);
    expect(lines(face)).toMatchObject([{ details: { outcome: "failed", route: null } }]);
  });
});

describe.skipIf(ptyMissing !== null)(
  `wisp doctor --ping${ptyMissing === null ? "" : ` (skipped: ${ptyMissing})`}`,
  () => {
    it("waits for the program that posts, and then for the person", async () => {
      const programs = bannerPrograms(tempDirectory());
      programs.add(program, "sleep 1");
      const PATH = [programs.path, process.env.PATH].join(delimiter);
      const pty = startInPty(wispOn(tempHome(), "doctor", "--ping"), {
        environment: { ...process.env, PATH },
      });
      await pty.seen("Do you see it? [y/N] ");
      pty.type("y\n");
      expect(await pty.ended).toBe(0);
      expect(pty.output()).toMatch(new RegExp(`^ok {4}ping +posted by ${program}, and seen$`, "m"));
    });
  },
);

function lines(face: Face): readonly unknown[] {
  return face.audit().filter(({ kind }) => kind === "notification");
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // ESRCH: it is gone.
    return false;
  }
}
