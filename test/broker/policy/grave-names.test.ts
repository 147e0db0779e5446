/** Which names of tools say that a call does what nobody lets pass unseen. */
import { expect, it } from "vitest";
import { graveVerbs, graveWordIn } from "../../../src/broker/policy/grave-names.js";

it.each([
  ["delete_all", "delete"],
  ["bulkDeleteNotes", "delete"],
  ["DROP_TABLE", "drop"],
  ["writeFile", "write"],
  ["get-env", "env"],
  ["run", "run"],
  ["db.execute_query", "exec"],
  ["read_secret", "secret"],
  ["enforce", "force"],
])("%s says %s", (name, word) => {
  expect(graveWordIn(name)).toBe(word);
});

it.each([
  "read_text_file",
  "list_dropped",
  "get_running_jobs",
  "prune_view",
  "environs",
  "droplets",
  "",
  "…",
])("%j says none: a short word counts as a whole one", (name) => {
  expect(graveWordIn(name)).toBeNull();
});

it("each verb that asks behind a preset is found in a name", () => {
  expect(graveVerbs.map(([verb]) => graveWordIn(`x${verb}x`))).toEqual(graveVerbs.map(([verb]) => verb));
});
