/**
 * What each preset says of each tool of its server, called without arguments: whether it passes, how grave it is, what a yes
 * rests on, and what asks whatever rules say. Written out, so that every change to a preset is read twice.
 */
import { describe, expect, it } from "vitest";
import type { Preset } from "../../../../src/broker/policy/presets/open-preset.js";
import { presets } from "../../../../src/broker/policy/presets/presets.js";
import type { StateSpec } from "../../../../src/broker/request/state-spec.js";
import { presetNamed } from "../../../support/gate-calls.js";

const repository = "git $.repo_path";
const graph = "read_graph";
const issue = "issue_read owner repo method=get issue_number";
const pullRequest = "pull_request_read owner repo method=get pullNumber";
const branch = "list_commits owner repo sha=$.branch perPage=1";

/** What passes, in one text; of each other tool what is said of it. */
interface Said {
  readonly passes: string;
  readonly others: Readonly<Record<string, string>>;
}

/** All tools of the servers as they are published. Of GitHub's also those that no rule speaks of, which ask. */
const said: Readonly<Record<string, Said>> = {
  filesystem: {
    passes:
      "read_file read_text_file read_media_file read_multiple_files list_directory list_directory_with_sizes " +
      "directory_tree search_files get_file_info list_allowed_directories",
    others: {
      write_file: "ask moderate: paths $.path",
      edit_file: "ask moderate: paths $.path",
      create_directory: "ask low: paths $.path",
      move_file: "ask moderate: paths $.source $.destination",
    },
  },
  git: {
    passes: "git_status git_diff_unstaged git_diff_staged git_diff git_log git_show git_branch",
    others: {
      git_add: `ask low: ${repository}; what stands in the files is not bound; it is staged as it is then`,
      git_commit: `ask moderate: ${repository}`,
      git_commit_signed: `ask moderate: ${repository}`,
      git_reset: `ask high: ${repository} | high: takes back what was staged`,
      git_create_branch: `ask low: ${repository}`,
      git_checkout: `ask moderate: ${repository}`,
      git_init: "ask low: paths $.repo_path",
    },
  },
  memory: {
    passes: "read_graph search_nodes open_nodes",
    others: {
      create_entities: "ask low: none",
      create_relations: "ask low: none",
      add_observations: `ask low: ${graph}`,
      delete_entities: `ask high: ${graph} | high: deletes`,
      delete_observations: `ask high: ${graph} | high: deletes`,
      delete_relations: `ask high: ${graph} | high: deletes`,
    },
  },
  github: {
    passes:
      "get_me get_teams get_team_members get_file_contents get_repository_tree get_commit get_tag " +
      "get_release_by_tag get_latest_release list_branches list_commits list_tags list_releases search_code " +
      "search_repositories search_issues search_pull_requests search_users search_orgs issue_read list_issues " +
      "list_issue_types get_label list_label pull_request_read list_pull_requests get_gist list_gists " +
      "get_discussion get_discussion_comments list_discussions list_discussion_categories list_notifications " +
      "get_notification_details list_starred_repositories actions_get actions_list get_job_logs projects_get " +
      "projects_list get_code_scanning_alert list_code_scanning_alerts get_dependabot_alert " +
      "list_dependabot_alerts get_global_security_advisory list_global_security_advisories " +
      "list_repository_security_advisories list_org_repository_security_advisories",
    others: {
      issue_write: `ask moderate: ${issue}`,
      sub_issue_write: `ask moderate: ${issue}`,
      merge_pull_request: `ask high: ${pullRequest}`,
      update_pull_request: `ask moderate: ${pullRequest}`,
      update_pull_request_branch: `ask moderate: ${pullRequest}`,
      pull_request_review_write: `ask moderate: ${pullRequest}`,
      create_or_update_file: `ask moderate: ${branch}`,
      push_files: `ask moderate: ${branch}`,
      delete_file: `ask high: ${branch} | high: deletes`,
      add_issue_comment: "ask moderate: none",
      add_comment_to_pending_review: "ask moderate: none",
      create_branch: "ask moderate: none",
      create_pull_request:
        "ask moderate: none; what the branch holds is not bound; the pull request has what is pushed to it, then and later",
      create_gist: "ask moderate: none",
      fork_repository: "ask moderate: none",
      create_repository: "ask high: none",
      star_repository: "ask low: none",
      unstar_repository: "ask low: none",
      dismiss_notification: "ask low: none",
      request_copilot_review: "ask moderate: none",
      assign_copilot_to_issue: "ask high: none | high: sets an agent to work",
      create_pull_request_with_copilot: "ask high: none | high: sets an agent to work",
      actions_run_trigger: "ask high: none | high: runs a program elsewhere",
      run_workflow:
        "ask high: none; what the branch holds is not bound; it runs as it is then | high: runs a program elsewhere",
      rerun_workflow_run: "nothing | high: runs a program elsewhere",
      rerun_failed_jobs: "nothing | high: runs a program elsewhere",
      delete_repository: "nothing | high: deletes",
      delete_pending_pull_request_review: "nothing | high: deletes",
      assign_copilot_to_issue_with_intent: "nothing | high: sets an agent to work",
      remove_sub_issue: "nothing | high: deletes",
      ...saidNothing(
        "label_write projects_write discussion_comment_write update_gist add_issue_reaction add_sub_issue " +
          "add_issue_comment_reaction add_pull_request_review_comment add_reply_to_pull_request_comment " +
          "add_pull_request_review_comment_reaction create_issue " +
          "create_pull_request_review submit_pending_pull_request_review request_pull_request_reviewers " +
          "manage_notification_subscription manage_repository_notification_subscription " +
          "mark_all_notifications_read reprioritize_sub_issue resolve_review_thread unresolve_review_thread " +
          "set_issue_fields update_issue update_issue_assignees update_issue_body update_issue_labels " +
          "update_issue_milestone update_issue_state update_issue_title update_issue_type " +
          "update_pull_request_body update_pull_request_draft_state update_pull_request_state " +
          "update_pull_request_title get_code_quality_finding get_file_blame get_secret_scanning_alert " +
          "list_secret_scanning_alerts list_issue_fields list_repository_collaborators search_commits ui_get",
      ),
    },
  },
  // It passes and asks by the address.
  fetch: { passes: "", others: saidNothing("fetch") },
};

function saidNothing(tools: string): Said["others"] {
  return Object.fromEntries(tools.split(" ").map((tool) => [tool, "nothing"]));
}

function textOf(state: StateSpec | null): string {
  if (state === null || state === "none") return String(state);
  const { paths, git, probe } = state;
  const wanted = Object.entries(probe?.arguments ?? {}).map(([key, value]) =>
    value === `$.${key}` ? key : `${key}=${value}`,
  );
  const bound = [
    ["paths", ...paths],
    ["git", ...git],
  ].filter(({ length }) => length > 1);
  return [...bound, probe === null ? [] : [probe.tool, ...wanted]].flat().join(" ");
}

function saidBy(preset: Preset, tool: string): string {
  const call = { tool, arguments: {} };
  const word = preset.wordOn(call);
  const floors = preset.floorsOf(call).map(({ level, why }) => ` | ${level}: ${why}`);
  const [state, unbound] = [preset.stateOf(call), preset.unboundIn(call)];
  const bound = `: ${textOf(state)}${unbound === null ? "" : `; ${unbound}`}`;
  const asks = word?.name === "ask" ? `ask ${word.rule.level}${bound}` : (word?.name ?? "nothing");
  return `${asks}${floors.join("")}`;
}

/** Of a rule that names one tool. */
function toolIn(rule: string | { readonly rule: string }): string {
  const text = typeof rule === "string" ? rule : rule.rule;
  return text.slice(text.lastIndexOf("__") + 2);
}

describe.each([...presets.values()])("the preset $name", ({ name, permissions, floors }) => {
  const { passes, others } = said[name] ?? expect.fail("Nothing is written down of it.");
  const reads = passes.split(" ").filter((tool) => tool !== "");
  const preset = presetNamed(name);

  it("lets pass what only reads, as it is written down here", () => {
    const told = reads.map((tool) => [tool, saidBy(preset, tool)]);
    expect(told).toEqual(reads.map((tool) => [tool, "allow"]));
  });

  it("says of each other tool what is written down here, and takes none for one that reads", () => {
    const tools = Object.keys(others);
    expect(Object.fromEntries(tools.map((tool) => [tool, saidBy(preset, tool)]))).toEqual(others);
    expect(tools.filter((tool) => preset.wordOn({ tool, arguments: {} })?.name === "allow")).toEqual([]);
  });

  it("speaks of no tool that is not written down here", () => {
    const spoken = [...permissions.ask, ...permissions.allow, ...floors].map(toolIn);
    const known = new Set([...reads, ...Object.keys(others)]);
    expect(spoken.filter((tool) => !tool.includes("*") && !known.has(tool))).toEqual([]);
    expect(saidBy(preset, "unheard_of")).toBe("nothing");
  });

  it("rests a yes only on calls that it lets pass itself", () => {
    const states = Object.keys(others).map((tool) => preset.stateOf({ tool, arguments: {} }));
    const probes = states.flatMap((state) =>
      state === null || state === "none" || state.probe === null ? [] : [state.probe.tool],
    );
    expect(probes.filter((tool) => !reads.includes(tool))).toEqual([]);
  });
});

it("a run of a workflow takes up what its branch holds, and what else its tool does takes up nothing", () => {
  const trigger = (method: string) =>
    presetNamed("github").unboundIn({ tool: "actions_run_trigger", arguments: { method } });
  expect(trigger("run_workflow")).toBe("what the branch holds is not bound; it runs as it is then");
  expect(trigger("cancel_workflow_run")).toBeNull();
});
