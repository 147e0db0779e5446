/** `mcp-server-git`: one repository, or several, on this machine. */
import { type AskData, type FloorData, mostItems, type PresetData } from "./preset-data.js";

const repository = { git: "$.repo_path" };
const reads = ["status", "diff_unstaged", "diff_staged", "diff", "log", "show", "branch"].map(
  (name) => `mcp__git__git_${name}`,
);

/** Git runs what a repository configures, also where it only looks; somebody else may have made this one. */
function elsewhere(rule: string): AskData {
  const why = "a repository that the command does not name, and git runs what a repository configures";
  return { rule, level: "moderate", state: repository, unnamed: "$.repo_path", why };
}

/** What git would read as an option, and may run a program for. */
function optionIn(tool: string, argument: string): FloorData {
  return {
    rule: `mcp__git__${tool}`,
    level: "high",
    why: "names an option of git in the place of a revision",
    when: [{ arg: argument, matches: "^\\s*-" }],
  };
}

/** A repository. */
export const git: PresetData = {
  name: "git",
  packages: ["mcp-server-git"],
  programs: ["mcp-server-git", "mcp_server_git"],
  images: ["mcp/git"],
  addresses: [],
  paths: ["$.repo_path"],
  moved: [],
  permissions: {
    ask: [
      // Servers take directories and patterns there, so no list of paths says which files it will be.
      {
        rule: "mcp__git__git_add",
        level: "low",
        state: repository,
        unbound: "what stands in the files is not bound; it is staged as it is then",
      },
      { rule: "mcp__git__git_commit", level: "moderate", state: repository },
      { rule: "mcp__git__git_commit_signed", level: "moderate", state: repository },
      { rule: "mcp__git__git_reset", level: "high", state: repository },
      { rule: "mcp__git__git_create_branch", level: "low", state: repository },
      { rule: "mcp__git__git_checkout", level: "moderate", state: repository },
      // There is no repository yet.
      { rule: "mcp__git__git_init", level: "low", state: { paths: ["$.repo_path"] } },
      ...reads.map(elsewhere),
    ],
    allow: reads,
  },
  floors: [
    { rule: "mcp__git__git_reset", level: "high", why: "takes back what was staged" },
    optionIn("git_diff", "$.target"),
    optionIn("git_show", "$.revision"),
    optionIn("git_checkout", "$.branch_name"),
    optionIn("git_create_branch", "$.branch_name"),
    optionIn("git_create_branch", "$.base_branch"),
    optionIn("git_branch", "$.contains"),
    optionIn("git_branch", "$.not_contains"),
    optionIn("git_branch", "$.branch_type"),
    optionIn("git_log", "$.start_timestamp"),
    optionIn("git_log", "$.end_timestamp"),
    {
      rule: "mcp__git__git_add",
      level: "high",
      why: `more than ${mostItems} files in one call`,
      when: [{ arg: "$.files[*]", countOver: mostItems }],
    },
    optionIn("git_add", "$.files[*]"),
  ],
  previews: {},
  listings: {},
};
