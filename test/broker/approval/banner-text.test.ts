import { describe, expect, it } from "vitest";
import { requestBanner, severalBanner } from "../../../src/broker/approval/banner-text.js";
import { shownBanner } from "../../../src/broker/notify/shown-banner.js";
import type { ApprovalRequest, Request } from "../../../src/broker/request/request.js";
import { approvalRequest, commandSubject } from "../../support/builders.js";
import { factRequest, questionRequest } from "../../support/request-kinds.js";

const answering = "wisp approvals approve k7q2mx9d";

/** As it is shown. */
function banner(request: Request, line = answering) {
  return shownBanner(requestBanner(request, request.kind, line));
}

const ofLine = (line: string) =>
  approvalRequest({ subject: commandSubject({ line, command: line, argv: null }) });

describe("a banner about an approval", () => {
  it("names project, client, command and the command that answers", () => {
    const request = approvalRequest({ level: "high" });
    expect(banner(request)).toEqual({
      title: "api · test-client asks",
      body: "git push origin main — wisp approvals approve k7q2mx9d",
      outside: `a command at level high waits — in wisp: ${request.id}`,
      source: "approval",
      request: request.id,
      level: "high",
      client: "test-client",
      project: "api",
    });
  });

  it("that comes once more says so", () => {
    const again = requestBanner(approvalRequest(), "reminder", answering);
    expect(again).toMatchObject({ title: "api · test-client still waits", source: "reminder" });
  });

  it.each([
    ["/home/p/api/", "api"],
    ["/", "/"],
    ["/home/p/a\u001b[2Jb", "a\\u{1b}[2Jb"],
  ])("names the last element of %j as its project", (directory, project) => {
    expect(banner(approvalRequest({ subject: commandSubject({ directory }) })).project).toBe(project);
  });

  it("names the caller where the client has no name", () => {
    expect(banner(approvalRequest({ client: null })).title).toBe("api · stdio asks");
  });

  it("shows the first 80 characters of a long command, and still how it is answered", () => {
    const line = `rm -rf ${"x".repeat(5_000)}`;
    expect(banner(ofLine(line)).body).toBe(`${line.slice(0, 80)}… — ${answering}`);
    const exact = "x".repeat(80);
    expect(banner(ofLine(exact)).body).toBe(`${exact} — ${answering}`);
  });

  it("counts characters as they are shown, and cuts none in two", () => {
    const { body } = banner(ofLine("\u202e".repeat(50)));
    expect(body).toBe(`${"\\u{202e}".repeat(10)}… — ${answering}`);
    expect(banner(ofLine("😀".repeat(100))).body).toBe(`${"😀".repeat(80)}… — ${answering}`);
  });

  it("does not take long over a run of blanks, and shows how it is answered", () => {
    const { body } = banner(ofLine(`a${" ".repeat(60_000)}b`));
    expect(body).toMatch(/^a␠×\d+… — /);
    expect(body.endsWith(answering)).toBe(true);
  });

  it("shows the beginning of a text that is kept elsewhere", () => {
    const head = "cat <<EOF";
    const long = { sha256: "0".repeat(64), bytes: 9_000, head, tail: "EOF" };
    const request = approvalRequest();
    const subject = { ...commandSubject(), line: long } as unknown as ApprovalRequest["subject"];
    expect(banner({ ...request, subject }).body).toBe(`cat <<EOF — ${answering}`);
  });

  it("says where to answer though the command for that is too long for it", () => {
    const request = approvalRequest();
    const line = `WISP_HOME=/${"x".repeat(300)} wisp approvals approve ${request.id}`;
    expect(banner(request, line).body).toBe(`git push origin main — in wisp: ${request.id}`);
  });

  it("fits with names, command and answering line that are as long as they can be, also once more", () => {
    const request = approvalRequest({
      client: { name: "c".repeat(200), version: "1" },
      subject: commandSubject({ directory: `/${"p".repeat(200)}`, line: "l".repeat(200) }),
    });
    const { title, body } = banner(request, "w".repeat(170));
    const names = `${"p".repeat(23)}… · ${"c".repeat(23)}…`;
    expect(title).toBe(`${names} asks`);
    expect(body).toBe(`${"l".repeat(80)}… — ${"w".repeat(170)}`);
    const again = shownBanner(requestBanner(request, "reminder", answering));
    expect(again.title).toBe(`${names} still waits`);
  });

  it("about a tool names server and tool, and no project", () => {
    const subject = {
      type: "tool",
      server: "github",
      tool: "merge",
    } as unknown as ApprovalRequest["subject"];
    expect(banner({ ...approvalRequest(), subject })).toMatchObject({
      title: "test-client asks",
      body: `github · merge — ${answering}`,
      project: null,
    });
  });

  it("about a client's own permission names its tool", () => {
    const subject = { type: "permission", tool: "Bash", input: {}, toolUseId: null } as const;
    expect(banner({ ...approvalRequest(), subject }).body).toBe(`Bash — ${answering}`);
  });
});

describe("a banner about a fact", () => {
  it("names project, client, what would be kept, and the command that keeps it", () => {
    const request = factRequest();
    expect(banner(request, "wisp facts keep k7q2mx9d")).toEqual({
      title: "api · test-client asks to keep",
      body: "api · test command: npm test — wisp facts keep k7q2mx9d",
      outside: `a fact waits — in wisp: ${request.id}`,
      source: "fact",
      request: request.id,
      level: null,
      client: "test-client",
      project: "api",
    });
  });

  it("that holds in no directory names no project", () => {
    expect(banner(factRequest({}, { directory: null }))).toMatchObject({
      title: "test-client asks to keep",
      project: null,
    });
  });

  it("shows 80 characters of subject, name and value together, and escapes of them as text", () => {
    const { body } = banner(factRequest({}, { subject: "s", name: "n\u001b[2J", value: "v".repeat(1_000) }));
    expect(body).toBe(`s · n\\u{1b}[2J: ${"v".repeat(80 - 16)}… — ${answering}`);
  });

  it("fits with names that are as long as they can be", () => {
    const client = { name: "c".repeat(200), version: "1" };
    const { title } = banner(factRequest({ client }, { directory: `/${"p".repeat(200)}` }));
    expect(title).toBe(`${"p".repeat(23)}… · ${"c".repeat(23)}… asks to keep`);
  });
});

describe("a banner about a question", () => {
  it("names project, client and question, and the command that answers", () => {
    const request = questionRequest({ client: { name: "test-client", version: "1" } });
    expect(banner(request, "wisp questions answer k7q2mx9d")).toEqual({
      title: "api · test-client asks you",
      body: "Which database? — wisp questions answer k7q2mx9d",
      outside: `a question waits — in wisp: ${request.id}`,
      source: "question",
      request: request.id,
      level: null,
      client: "test-client",
      project: "api",
    });
  });

  it("of a server that filed no directory names no project", () => {
    expect(banner(questionRequest({}, { directory: null }))).toMatchObject({
      title: "stdio asks you",
      project: null,
    });
  });

  it("that comes once more says so", () => {
    const again = requestBanner(questionRequest(), "reminder", answering);
    expect(again).toMatchObject({ title: "api · stdio still waits", source: "reminder" });
  });

  it("shows the first 80 characters of a long one, in one line", () => {
    const { body } = banner(questionRequest({}, { text: `Which?\n${"x".repeat(1_000)}` }));
    expect(body).toBe(`Which?\\u{a}${"x".repeat(80 - 11)}… — ${answering}`);
  });
});

it("a banner about several counts them and says how they are listed", () => {
  expect(severalBanner(7, "wisp approvals pending")).toEqual({
    title: "7 waiting",
    body: "7 requests wait for an answer — wisp approvals pending",
    outside: "7 requests wait for an answer — in wisp",
    source: "approval",
    request: null,
    level: null,
    client: null,
    project: null,
  });
});
