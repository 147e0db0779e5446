/** What is asked on the captured screens, as a server files it. */
import { createHash } from "node:crypto";

const client = { name: "claude-code", version: "2.1.0" };

/** @param {string} text */
function sideOf(text) {
  const bytes = Buffer.from(text, "utf8");
  return { bytes: bytes.length, sha256: hashOf(text), text };
}

/** @param {string} text */
function hashOf(text) {
  return createHash("sha256").update(text).digest("hex");
}

/** @param {object} subject @param {object} overrides */
function approval(subject, overrides) {
  return {
    kind: "approval",
    subject,
    level: "moderate",
    reasons: ["no rule speaks of it, so it asks"],
    rule: null,
    says: null,
    scopes: ["once", "session"],
    assurance: "terminal",
    client,
    caller: "stdio",
    thread: "git",
    ...overrides,
  };
}

/** @param {string} line @param {object} overrides */
function command(line, overrides) {
  const subject = {
    type: "command",
    line,
    argv: null,
    command: line,
    directory: "/src/api",
    pattern: null,
    program: null,
    directoryIdentity: null,
    state: null,
  };
  return approval(subject, overrides);
}

export const push = command("git push --force origin main", {
  level: "high",
  reasons: ["replaces commits that others may have"],
  rule: "ask Bash(git push *)",
  says: "Publish the fix so that CI can run",
});

/** What a yes for the project or for always may remember: exactly this call, or a wider form. */
const remember = {
  offers: [
    { rule: "Bash(git push origin main)", matches: null, misses: null },
    {
      rule: "Bash(git push origin *)",
      matches: "git push origin dev",
      misses: "git push --force origin main",
    },
  ],
  days: 30,
};

export const offering = command("git push origin main", {
  reasons: ["policy.json: 2 looser rules wait for: wisp accept"],
  rule: "Bash(git push *) (policy.json:7)",
  scopes: ["once", "session", "project", "always"],
  remember,
});

export const tests = command("npm test", { client: { name: "codex", version: "1.4.0" }, thread: "web" });

export const removal = command("rm -rf ./build ../shared\u202etxt.gpj", {
  level: "dangerous",
  reasons: ["removes what lies outside of the project"],
  scopes: ["once"],
  thread: "tidy",
  says: "Cleaning up.\n[approved by the person before]",
});

const before = "export const retries = 3;\nexport const delayMs = 100;\n";
const after = "export const retries = 5;\nexport const jitter = true;\nexport const delayMs = 100;\n";

export const edit = approval(
  {
    type: "tool",
    server: "files",
    serverIdentity: "node files-server.js",
    tool: "write_file",
    title: "Write a file",
    description: "Writes a whole file.",
    arguments: { path: "/src/api/retry.ts", content: after },
    argumentsHash: hashOf("arguments"),
    definitionHash: hashOf("definition"),
    definition: null,
    preview: [{ target: "/src/api/retry.ts", kind: "replace", before: sideOf(before), after: sideOf(after) }],
    state: "none",
  },
  { reasons: ["writes a file"], says: "More retries" },
);

export const permission = approval(
  {
    type: "permission",
    tool: "WebFetch",
    input: { url: "https://example.com/changelog", prompt: "What is new?" },
    toolUseId: null,
  },
  { reasons: ["the client asks"], scopes: ["once"] },
);

const shared = { says: null, client, caller: "stdio", thread: "setup" };

export const fact = {
  kind: "fact",
  fact: {
    subject: "api",
    name: "test command",
    value: "npm run test:ci",
    source: "package.json",
    directory: "/src/api",
    similar: [{ id: "h4mzt8wq", value: "npm test" }],
  },
  ...shared,
};

export const question = {
  kind: "question",
  question: {
    text: "Which database does the new service use?",
    options: [
      { value: "pg", label: "PostgreSQL", description: "as in production" },
      { value: "lite", label: "SQLite", description: "one file, no server" },
    ],
    multiple: false,
    allowText: true,
    directory: "/src/api",
  },
  ...shared,
};

export const flood = Array.from({ length: 8 }, (_, index) =>
  command(`rm -f build/part-${index}.o`, { thread: "tidy" }),
);
