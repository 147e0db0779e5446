/**
 * The programs that ship, and how each becomes one file. A program reaches another only by `import()` of its
 * entry, which in the bundle loads the sibling file: so a hot verb of the command line never loads commander or the
 * MCP SDK, and the MCP server nothing of the command line.
 */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {object} Program
 * @property {string} entry source file, from the root of the project
 * @property {string} file name in dist; its ending decides between CommonJS and ESM
 * @property {boolean} [isCommand] started by name from a shell
 * @property {boolean} [isOffline] has no way to the network
 * @property {readonly string[]} [holds] entries of other programs that this one contains instead of loading them
 * @property {boolean} [speaksBySdk] is a server of the SDK, whatever it is asked
 * @property {boolean} [isPlain] holds parts of the SDK's server, and none that judges by a JSON Schema
 */

/** @type {readonly Program[]} CommonJS starts a third faster than ESM, which counts where a person waits. */
export const programs = [
  { entry: "src/cli/main.ts", file: "wisp.cjs", isCommand: true },
  { entry: "src/cli/command-line.ts", file: "wisp-verbs.cjs" },
  // Its patterns of whole Unicode take milliseconds to read, even where they are never used.
  { entry: "src/face/wide.ts", file: "wisp-wide.cjs" },
  { entry: "src/cli/program.ts", file: "wisp-program.cjs" },
  // It reads the configuration with zod, which help and the overview need not wait for, and asks Node where a package lies.
  { entry: "src/cli/commands/doctor.ts", file: "wisp-doctor.mjs" },
  // Seals, the configuration, and looking at processes: for what has ended, and for what a yes left behind.
  { entry: "src/cli/kept/main.ts", file: "wisp-kept.cjs", holds: ["src/face/own-look.ts"] },
  // The same for faces that stay, which load it when somebody says yes to what has ended.
  { entry: "src/face/own-look.ts", file: "wisp-look.cjs" },
  // Seals and the log: for what a sweep cleared away.
  { entry: "src/face/swept-log.ts", file: "wisp-swept.cjs" },
  // The same and a look at this process: for facts that were decided while their server was gone.
  { entry: "src/face/left-facts.ts", file: "wisp-left.cjs", holds: ["src/face/own-look.ts"] },
  // What of the person's files waits to be accepted, or cannot be used: for every face, where there are any.
  { entry: "src/face/file-notices.ts", file: "wisp-files.cjs" },
  // Why a yes was not enough, and what to do then.
  { entry: "src/cli/shortfall.ts", file: "wisp-shortfall.cjs" },
  // The schema, seals, the log, and what edits JSON: for seeing and changing the configuration.
  { entry: "src/cli/config/main.ts", file: "wisp-config.cjs" },
  // Deciding facts and questions, and what is kept of facts.
  { entry: "src/cli/kinds/main.ts", file: "wisp-kinds.cjs" },
  // Reading the log: shapes, hashes and the whole of it.
  { entry: "src/cli/audit/main.ts", file: "wisp-audit.cjs" },
  // Lines in and out for whoever stays: the inbox, and the verbs that answer.
  { entry: "src/cli/chat/main.ts", file: "wisp-chat.cjs" },
  // What of the person's files differs from what was accepted, and accepting it.
  { entry: "src/cli/accept/main.ts", file: "wisp-accept.cjs" },
  // For the completion of a shell, which asks for it with every TAB.
  { entry: "src/cli/completion/main.ts", file: "wisp-completion.cjs" },
  // The files of clients, read and changed as text: for putting a gate into them.
  { entry: "src/cli/gate/main.ts", file: "wisp-install.cjs" },
  // What the words of a gate say of its server, for whoever judges a call without starting it.
  { entry: "src/server/gate/known/main.ts", file: "wisp-known.cjs" },
  // Judging a call by the rules, without asking anybody.
  { entry: "src/cli/policy/main.ts", file: "wisp-policy.cjs" },
  // What only some files of rules need: comments, paths into arguments, regular expressions.
  { entry: "src/broker/policy/engines/jsonc.ts", file: "wisp-jsonc.cjs" },
  { entry: "src/broker/policy/engines/json-path.ts", file: "wisp-json-path.cjs" },
  { entry: "src/broker/policy/engines/expressions.ts", file: "wisp-expressions.cjs" },
  { entry: "src/server/mcp/main.ts", file: "wisp-mcp.mjs", speaksBySdk: true, isPlain: true },
  { entry: "src/server/gate/main.ts", file: "wisp-gate.mjs", isPlain: true },
  // A server is started once, and lists its tools: for whoever puts a gate before one that nothing is known of.
  { entry: "src/server/gate/look/main.ts", file: "wisp-tools.mjs", isPlain: true },
  // The client of the SDK, and what it authorizes itself with: for a gate in front of an address.
  { entry: "src/server/gate/frames/upstream-http.ts", file: "wisp-address.mjs" },
  // Judging, and what is remembered: no client waits for it while a server introduces itself.
  { entry: "src/server/mcp/file-rules.ts", file: "wisp-rules.cjs" },
  { entry: "src/server/demo/main.ts", file: "wisp-demo.mjs" },
  { entry: "src/tui/start.ts", file: "wisp-tui.mjs", isCommand: true },
  // ESM, because the layout of ink waits for its WebAssembly at the top level. It measures every text that it draws.
  { entry: "src/tui/main.ts", file: "wisp-screen.mjs", isOffline: true, holds: ["src/face/wide.ts"] },
];

const shebang = "#!/usr/bin/env node\n";

/** Parts of Node that take a millisecond or more to load and that most runs of a command never use. */
const slowParts = ["node:child_process", "node:crypto", "node:os", "node:tty", "node:util"];

/** Loads such a part when one of its exports is first used. We import them by name, so that one is asked for. */
const lateParts = `"use strict";
require = ((load, late) => (name) =>
  late.includes(name) ? new Proxy({}, { get: (_, key) => load(name)[key] }) : load(name))(require, ${JSON.stringify(slowParts)});`;

/** CommonJS packages inside an ESM bundle call `require` for Node's own modules, and one asks for its `__filename`. */
const requireForEsm =
  'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url), __filename = import.meta.filename;';

/** The layout of ink reads its WebAssembly by fetch where there is one: from itself, and it costs a third of the start. */
const withoutFetch = { fetch: "undefined" };

/**
 * @param {Program} program
 * @returns {import("esbuild").BuildOptions & { metafile: true }}
 */
export function buildOptions({ entry, file, isCommand, isOffline, speaksBySdk, isPlain, holds = [] }) {
  const isEsm = file.endsWith(".mjs");
  return {
    entryPoints: [join(root, entry)],
    outfile: join(root, "dist", file),
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    target: "node20.19",
    format: isEsm ? "esm" : "cjs",
    banner: { js: `${isCommand ? shebang : ""}${isEsm ? requireForEsm : lateParts}` },
    define: { "process.env.NODE_ENV": '"production"', ...(isOffline ? withoutFetch : {}) },
    minify: true,
    charset: "utf8",
    // The licences of bundled packages ship whole, in dist/licenses.txt.
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    // Its main asks for its parts in a way that no bundler follows.
    alias: { "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js") },
    plugins: [
      siblings(holds),
      engines,
      plainInk,
      ...(isPlain ? [withoutCompiler] : []),
      ...(isOffline ? [lateWidths] : []),
      ...(speaksBySdk ? [earlySdk] : []),
    ],
  };
}

/**
 * @param {readonly string[]} holds
 * @returns {import("esbuild").Plugin}
 */
const siblings = (holds) => ({
  name: "siblings",
  setup(build) {
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const source = join(resolveDir, path.replace(/\.js$/, ""));
      const sibling = programs.find(({ entry }) => join(root, entry.replace(/\.tsx?$/, "")) === source);
      if (sibling === undefined || holds.includes(sibling.entry)) return undefined;
      if (kind !== "dynamic-import") {
        return { errors: [{ text: `${sibling.entry} is a program of its own: reach it by import()` }] };
      }
      if (sibling.file.endsWith(".mjs")) return { path: `./${sibling.file}`, external: true };
      return { path: sibling.file, namespace: "required" };
    });
    // CommonJS is required and not imported: a first import() takes milliseconds to make Node's ESM loader ready.
    build.onLoad({ filter: /./, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = require("./${path}");`,
    }));
    build.onResolve({ filter: /./, namespace: "required" }, ({ path }) => ({ path, external: true }));
  },
});

/**
 * Whoever judges by rules asks for these in the middle of a verdict, which waits for nothing: so they are required and not
 * imported, as the library does by their names.
 * @type {import("esbuild").Plugin}
 */
const engines = {
  name: "engines",
  setup(build) {
    build.onLoad({ filter: /[/\\]src[/\\]broker[/\\]policy[/\\]engines\.ts$/ }, () => ({
      contents: `
        export const jsoncEngine = () => require("./wisp-jsonc.cjs");
        export const jsonPathParser = () => require("./wisp-json-path.cjs").parseJsonPath;
        export const linearExpressions = () => require("./wisp-expressions.cjs").RE2JS;`,
    }));
    build.onResolve({ filter: /^\.\/wisp-(?:jsonc|json-path|expressions)\.cjs$/ }, ({ path }) => ({
      path,
      external: true,
    }));
  },
};

/**
 * A server that speaks through the SDK. A part that is loaded late inside one file has everything that it imports put into
 * functions: V8 then reads nearly all of the SDK twice, and nothing of it is left out.
 * @type {import("esbuild").Plugin}
 */
const earlySdk = {
  name: "early-sdk",
  setup(build) {
    build.onLoad({ filter: /[/\\]src[/\\]server[/\\]mcp[/\\]late-codec\.ts$/ }, () => ({
      resolveDir: join(root, "src/server/mcp"),
      contents: `
        import { stateCodec } from "./state-codec.js";
        export const loadedCodec = async () => stateCodec;`,
    }));
  },
};

/**
 * The SDK's server brings a compiler of JSON Schema, a fifth of the program, for what a client answered to
 * `elicitInput`. Ours never calls that (src/server/mcp/dialog-2025.ts); if it did, the answer would be refused.
 * @type {import("esbuild").Plugin}
 */
const withoutCompiler = {
  name: "without-compiler",
  setup(build) {
    build.onLoad({ filter: /[/\\]@modelcontextprotocol[/\\]server[/\\]dist[/\\]shimsNode\.mjs$/ }, () => ({
      contents: `
        export const { process } = globalThis;
        export class DefaultJsonSchemaValidator {
          getValidator() { throw new Error("Nothing is judged by a JSON Schema here."); }
        }`,
    }));
  },
};

/**
 * What ink does by itself and must not do here (ADR 0017): connect to a local port where DEV=true is in the environment,
 * draw nothing where CI is, and show an error as it is, with whatever bytes are in it.
 * @type {Readonly<Record<string, string>>}
 */
const instead = {
  "ink/build/devtools.js": "export {};",
  "ink/build/utils.js": "export const isDev = () => false;",
  "ink/build/components/ErrorOverview.js": "export default () => null;",
  "is-in-ci/index.js": "export default false;",
};

/** @type {import("esbuild").Plugin} */
const plainInk = {
  name: "plain-ink",
  setup(build) {
    for (const [file, contents] of Object.entries(instead)) {
      const filter = new RegExp(
        `[/\\\\]node_modules[/\\\\]${file.replaceAll(".", "\\.").replaceAll("/", "[/\\\\]")}$`,
      );
      build.onLoad({ filter }, () => ({ contents }));
    }
  },
};

/**
 * What ink draws is measured by its length where that is its width, as nearly all of it is: reading and compiling the
 * patterns of string-width takes a fifth of the start (docs/adr/0007). Other texts are measured by string-width itself,
 * which is made ready with the first of them.
 * @type {import("esbuild").Plugin}
 */
const lateWidths = {
  name: "late-widths",
  setup(build) {
    build.onResolve({ filter: /^string-width$/ }, ({ namespace }) =>
      namespace === "late-widths"
        ? { path: join(root, "node_modules/string-width/index.js") }
        : { path: "string-width", namespace: "late-widths" },
    );
    build.onLoad({ filter: /./, namespace: "late-widths" }, () => ({
      resolveDir: root,
      contents: `import { isNarrow } from "./src/face/narrow.js";
        let whole;
        export default (text, options) => {
          const bare = text.replace(/\\u001b\\[[0-9;]*m/g, "");
          if (options === undefined && isNarrow(bare)) return bare.length;
          whole ??= require("string-width").default;
          return whole(text, options);
        };`,
    }));
  },
};

/**
 * The names of the packages inside a bundle, sorted.
 * @param {import("esbuild").Metafile} metafile
 */
export function packagesIn(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const names = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/.exec(path)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/**
 * The licence texts of packages, one below the other. Throws when a package brings none, and none is kept here for it.
 * @param {readonly string[]} names
 */
export function licenses(names) {
  return names
    .map((name) => {
      const { version } = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
      return `${name} ${version}\n\n${readFileSync(licenseFile(name), "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(72)}\n\n`);
}

/**
 * A package may say which licence it is under, and of whom, and leave the text out: then scripts/licenses has it.
 * @param {string} name
 */
function licenseFile(name) {
  const directory = join(root, "node_modules", name);
  const file = readdirSync(directory).find((found) => /^licen[cs]e/i.test(found));
  const kept = join(root, "scripts/licenses", `${name}.txt`);
  if (file !== undefined) return join(directory, file);
  if (!existsSync(kept)) throw new Error(`${name} has no licence file to ship`);
  return kept;
}

/** Entries that are not there, from the root of the project. */
export function missingEntries() {
  return programs
    .map(({ entry }) => entry)
    .filter((entry) => !statSync(join(root, entry), { throwIfNoEntry: false }));
}
