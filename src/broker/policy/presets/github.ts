/** GitHub's own server, local and remote, and the one that came before it. Its reads are named one by one: each is a proof. */
import { type AskData, type FloorData, mostItems, type PresetData } from "./preset-data.js";

const place = { owner: "$.owner", repo: "$.repo" };
const issue = {
  tool: "issue_read",
  args: { ...place, method: "get", issue_number: "$.issue_number" },
};
const pullRequest = {
  tool: "pull_request_read",
  args: { ...place, method: "get", pullNumber: "$.pullNumber" },
};
/** What the branch ends with. */
const branch = { tool: "list_commits", args: { ...place, sha: "$.branch", perPage: 1 } };

const reads = [
  ...["get_me", "get_teams", "get_team_members"],
  ...["get_file_contents", "get_repository_tree", "get_commit", "get_tag", "get_release_by_tag"],
  ...["get_latest_release", "list_branches", "list_commits", "list_tags", "list_releases"],
  ...["search_code", "search_repositories", "search_issues", "search_pull_requests", "search_users"],
  ...["search_orgs", "issue_read", "list_issues", "list_issue_types", "get_label", "list_label"],
  ...["pull_request_read", "list_pull_requests", "get_gist", "list_gists"],
  ...["get_discussion", "get_discussion_comments", "list_discussions", "list_discussion_categories"],
  ...["list_notifications", "get_notification_details", "list_starred_repositories"],
  ...["actions_get", "actions_list", "get_job_logs", "projects_get", "projects_list"],
  ...["get_code_scanning_alert", "list_code_scanning_alerts"],
  ...["get_dependabot_alert", "list_dependabot_alerts"],
  ...["get_global_security_advisory", "list_global_security_advisories"],
  ...["list_repository_security_advisories", "list_org_repository_security_advisories"],
];

function asked(
  tools: readonly string[],
  level: NonNullable<AskData["level"]>,
  state: unknown,
  unbound?: string,
): readonly AskData[] {
  return tools.map((tool) => ({
    ...{ rule: `mcp__github__${tool}`, level, state },
    ...(unbound === undefined ? {} : { unbound }),
  }));
}

/** A server that was started for workflows alone lists no commits, and then nothing that is bound to them could be asked about. */
const runsLater = "what the branch holds is not bound; it runs as it is then";
/** Whoever pushes to a branch changes the pull request also after it was made. */
const showsLater =
  "what the branch holds is not bound; the pull request has what is pushed to it, then and later";

function floor(tool: string, why: string, when?: FloorData["when"]): FloorData {
  return { rule: `mcp__github__${tool}`, level: "high", why, ...(when === undefined ? {} : { when }) };
}

/** Repositories, issues and pull requests at GitHub. */
export const github: PresetData = {
  name: "github",
  packages: ["@modelcontextprotocol/server-github"],
  programs: ["github-mcp-server"],
  images: ["ghcr.io/github/github-mcp-server", "mcp/github"],
  addresses: ["https://api.githubcopilot.com/mcp"],
  paths: [],
  moved: [],
  permissions: {
    ask: [
      {
        rule: "mcp__github__issue_write",
        level: "moderate",
        when: [{ arg: "$.method", equals: "create" }],
        state: "none",
      },
      ...asked(["issue_write", "sub_issue_write"], "moderate", issue),
      ...asked(["merge_pull_request"], "high", pullRequest),
      ...asked(["update_pull_request", "update_pull_request_branch"], "moderate", pullRequest),
      ...asked(["pull_request_review_write"], "moderate", pullRequest),
      ...asked(["create_or_update_file", "push_files"], "moderate", branch),
      ...asked(["delete_file"], "high", branch),
      // What they make is new, so nothing there can change under them.
      ...asked(["add_issue_comment", "add_comment_to_pending_review", "create_branch"], "moderate", "none"),
      ...asked(["create_pull_request"], "moderate", "none", showsLater),
      ...asked(["create_gist", "fork_repository"], "moderate", "none"),
      ...asked(["create_repository"], "high", "none"),
      ...asked(["star_repository", "unstar_repository", "dismiss_notification"], "low", "none"),
      // It comments, as whoever is asked to review does: no floor, for it changes nothing that is there.
      ...asked(["request_copilot_review"], "moderate", "none"),
      ...asked(["assign_copilot_to_issue", "create_pull_request_with_copilot"], "high", "none"),
      ...asked(["run_workflow"], "high", "none", runsLater),
      {
        rule: "mcp__github__actions_run_trigger",
        level: "high",
        when: [{ arg: "$.method", equals: "run_workflow" }],
        state: "none",
        unbound: runsLater,
      },
      ...asked(["actions_run_trigger"], "high", "none"),
    ],
    allow: reads.map((tool) => `mcp__github__${tool}`),
  },
  floors: [
    floor("actions_run_trigger", "runs a program elsewhere"),
    floor("run_workflow", "runs a program elsewhere"),
    floor("rerun_*", "runs a program elsewhere"),
    floor("assign_copilot_*", "sets an agent to work"),
    floor("create_pull_request_with_copilot", "sets an agent to work"),
    floor("create_or_update_file", "replaces a file", [{ arg: "$.sha", matches: "." }]),
    floor("label_write", "deletes", [{ arg: "$.method", equals: "delete" }]),
    floor("projects_write", "deletes", [{ arg: "$.method", matches: "delete" }]),
    floor("pull_request_review_write", "deletes", [{ arg: "$.method", matches: "delete" }]),
    floor("push_files", `more than ${mostItems} files in one call`, [
      { arg: "$.files[*]", countOver: mostItems },
    ]),
  ],
  previews: {},
  listings: {},
};
