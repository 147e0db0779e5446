/**
 * Who may import whom. Data flows request → files → implementations → the door → faces; approval stands beside
 * the implementations and knows interfaces only. test/house/import-rules.test.ts plants one violation per rule.
 */

/** Folders of src/broker whose contents are handed in where programs start; they never know each other. */
const implementations = "channel|grants|policy|audit|notify|identity|facts|gates|state|config";

/** The files in which an implementation's interface stands: all that approval may see of it. */
const interfaces =
  "channel/channel|audit/audit-log|grants/grant-store|facts/fact-store|notify/notifier|policy/verdict|policy/remembered|system/clock";

/** A package however it was found: installed, linked, or not resolved at all. */
const packages = (names) => `(^|node_modules/)(${names})(/|$)`;

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "request-is-pure",
      comment: "What can be asked is data: nothing but shapes of our own (ADR 0008) and canonical JSON.",
      severity: "error",
      from: { path: "^src/broker/request/" },
      to: {
        pathNot: `^src/broker/request/|${packages("canonicalize")}`,
        dependencyTypesNot: ["core"],
      },
    },
    {
      name: "request-does-no-io",
      severity: "error",
      from: { path: "^src/broker/request/" },
      // Neither reads nor writes anything.
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(buffer|crypto)$" },
    },
    {
      name: "system-stands-alone",
      severity: "error",
      from: { path: "^src/broker/system/" },
      to: { path: "^src/", pathNot: "^src/broker/system/" },
    },
    {
      name: "files-know-only-requests",
      severity: "error",
      from: { path: "^src/broker/files/" },
      to: { path: "^src/", pathNot: "^src/broker/((files|request)/|system/clock\\.ts$)" },
    },
    {
      name: "approval-knows-interfaces-only",
      comment: "A second channel or audit log must fit without a change in approval.",
      severity: "error",
      from: { path: "^src/broker/approval/" },
      to: { path: "^src/", pathNot: `^src/broker/((approval|request)/|(${interfaces})\\.ts$)` },
    },
    {
      name: "implementations-stand-alone",
      severity: "error",
      from: { path: `^src/broker/(${implementations})/` },
      to: { path: "^src/", pathNot: "^src/broker/($1|request|files|system)/" },
    },
    {
      name: "broker-knows-no-face",
      severity: "error",
      from: { path: "^src/broker/" },
      to: { path: `^src/(server|face|tui|cli)/|${packages("@modelcontextprotocol|ink|react|commander")}` },
    },
    {
      name: "broker-by-its-door",
      severity: "error",
      from: { path: "^src/(server|face|tui|cli)/" },
      to: { path: "^src/broker/(?!index\\.ts$)" },
    },
    {
      name: "face-knows-no-face",
      comment: "What the faces of a person share draws nothing and runs no command (ADR 0016).",
      severity: "error",
      from: { path: "^src/face/" },
      to: { path: "^src/(server|tui|cli)/" },
    },
    {
      name: "server-shares-nothing-with-faces",
      severity: "error",
      from: { path: "^src/server/" },
      to: { path: "^src/face/" },
    },
    {
      name: "faces-do-not-know-each-other",
      severity: "error",
      from: { path: "^src/(server|tui)/" },
      to: { path: "^src/(server|tui|cli)/", pathNot: "^src/$1/" },
    },
    {
      name: "cli-only-starts-other-faces",
      severity: "error",
      from: { path: "^src/cli/" },
      to: { path: "^src/(server|tui)/", pathNot: "/main\\.tsx?$" },
    },
    {
      name: "cli-starts-other-faces-by-import-call",
      comment: "A static import would load the other face before the hot verbs of the command line run.",
      severity: "error",
      from: { path: "^src/cli/" },
      to: { path: "^src/(server|tui)/", dynamic: false },
    },
    {
      name: "mcp-sdk-only-in-server",
      severity: "error",
      from: { path: "^src/(?!server/|broker/)" },
      to: { path: packages("@modelcontextprotocol") },
    },
    {
      name: "ink-only-in-tui",
      severity: "error",
      from: { path: "^src/(?!tui/|broker/)" },
      to: { path: packages("ink|react") },
    },
    {
      name: "ink-only-in-what-draws",
      comment:
        "What decides and what runs the terminal need no ink, and are loaded where nothing may be drawn.",
      severity: "error",
      from: { path: "^src/tui/.*\\.ts$", pathNot: "^src/tui/hooks/" },
      to: { path: packages("ink|react") },
    },
    {
      name: "what-draws-is-loaded-to-draw",
      comment: "A static import would load ink before it is certain that there is a terminal to draw on.",
      severity: "error",
      from: { path: "^src/tui/.*\\.ts$" },
      to: { path: "^src/tui/(.*\\.tsx$|hooks/)", dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "tui-starts-with-its-checks",
      comment: "The face itself is loaded once a terminal was found.",
      severity: "error",
      from: { path: "^src/tui/main\\.ts$" },
      to: {
        path: "^src/tui/",
        pathNot: "^src/tui/terminal/complain\\.ts$",
        dynamic: false,
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "commander-only-in-cli",
      severity: "error",
      from: { path: "^src/(?!cli/|broker/)" },
      to: { path: packages("commander") },
    },
    {
      name: "nothing-for-developers-ships",
      comment: "An import of a devDependency works here and fails where the package is installed.",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"] },
    },
    {
      name: "everything-resolves",
      comment: "An import that does not resolve would slip past every rule about packages.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "no-orphans",
      severity: "error",
      from: { orphan: true, path: "^src/" },
      to: {},
    },
  ],
  options: {
    // Without exportsFields and conditionNames, packages that are ESM only do not resolve.
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
  },
};
