/** `@modelcontextprotocol/server-memory`: a graph of what an agent is to remember. */
import { type FloorData, mostItems, type PresetData } from "./preset-data.js";

/** Nothing less tells what a change is made to. */
const graph = { tool: "read_graph", args: {} };

function many(tool: string, items: string): FloorData {
  return {
    rule: `mcp__memory__${tool}`,
    level: "high",
    why: `more than ${mostItems} items in one call`,
    when: [{ arg: items, countOver: mostItems }],
  };
}

/** A graph of facts. */
export const memory: PresetData = {
  name: "memory",
  packages: ["@modelcontextprotocol/server-memory"],
  programs: ["mcp-server-memory"],
  images: ["mcp/memory"],
  addresses: [],
  paths: [],
  moved: [],
  permissions: {
    ask: [
      // What is there already stays as it is.
      { rule: "mcp__memory__create_entities", level: "low", state: "none" },
      { rule: "mcp__memory__create_relations", level: "low", state: "none" },
      { rule: "mcp__memory__add_observations", level: "low", state: graph },
      { rule: "mcp__memory__delete_entities", level: "high", state: graph },
      { rule: "mcp__memory__delete_observations", level: "high", state: graph },
      { rule: "mcp__memory__delete_relations", level: "high", state: graph },
    ],
    allow: ["mcp__memory__read_graph", "mcp__memory__search_nodes", "mcp__memory__open_nodes"],
  },
  floors: [
    many("create_entities", "$.entities[*]"),
    many("create_entities", "$.entities[*].observations[*]"),
    many("create_relations", "$.relations[*]"),
    many("add_observations", "$.observations[*].contents[*]"),
  ],
  previews: {},
  listings: {},
};
