/** `@modelcontextprotocol/server-filesystem`: files below directories that its command names. */
import { mostItems, type PresetData } from "./preset-data.js";

/** Files and directories. */
export const filesystem: PresetData = {
  name: "filesystem",
  packages: ["@modelcontextprotocol/server-filesystem"],
  programs: ["mcp-server-filesystem"],
  images: ["mcp/filesystem"],
  addresses: [],
  paths: ["$.path", "$.paths[*]", "$.source", "$.destination"],
  moved: ["$.source"],
  permissions: {
    ask: [
      { rule: "mcp__filesystem__write_file", level: "moderate", state: { paths: ["$.path"] } },
      { rule: "mcp__filesystem__edit_file", level: "moderate", state: { paths: ["$.path"] } },
      { rule: "mcp__filesystem__create_directory", level: "low", state: { paths: ["$.path"] } },
      {
        rule: "mcp__filesystem__move_file",
        level: "moderate",
        state: { paths: ["$.source", "$.destination"] },
      },
    ],
    allow: [
      "mcp__filesystem__read_file",
      "mcp__filesystem__read_text_file",
      "mcp__filesystem__read_media_file",
      "mcp__filesystem__read_multiple_files",
      "mcp__filesystem__list_directory",
      "mcp__filesystem__list_directory_with_sizes",
      "mcp__filesystem__directory_tree",
      "mcp__filesystem__search_files",
      "mcp__filesystem__get_file_info",
      "mcp__filesystem__list_allowed_directories",
    ],
  },
  floors: [
    {
      rule: "mcp__filesystem__write_file",
      level: "high",
      why: "replaces a file that is not empty",
      replaces: "$.path",
    },
    {
      rule: "mcp__filesystem__edit_file",
      level: "high",
      why: "changes a file that is not empty",
      replaces: "$.path",
    },
    {
      rule: "mcp__filesystem__move_file",
      level: "high",
      why: "replaces a file that is not empty",
      replaces: "$.destination",
    },
    {
      rule: "mcp__filesystem__move_file",
      level: "high",
      why: "moves out of a top-level directory",
      crosses: ["$.source", "$.destination"],
    },
    {
      // Rules for what lies in it name it by another path afterwards.
      rule: "mcp__filesystem__move_file",
      level: "high",
      why: "moves a directory, with all that is in it",
      carries: "$.source",
    },
    {
      rule: "mcp__filesystem__move_file",
      level: "high",
      why: "moves a .git or .ssh along, or more than is looked through",
      holds: "$.source",
    },
    {
      rule: "mcp__filesystem__edit_file",
      level: "high",
      why: `more than ${mostItems} edits in one call`,
      when: [{ arg: "$.edits[*]", countOver: mostItems }],
    },
  ],
  // At the first of its directories that such a path stays below; and a client may name others.
  startsElsewhere: true,
  previews: {
    write_file: { target: "$.path", content: "$.content" },
    edit_file: { target: "$.path", edits: "$.edits[*]" },
    move_file: { source: "$.source", target: "$.destination" },
  },
  listings: {
    search_files: { form: "paths", argument: "path" },
    list_directory: { form: "names", argument: "path" },
    list_directory_with_sizes: { form: "sizes", argument: "path" },
    directory_tree: { form: "tree", argument: "path" },
  },
};
