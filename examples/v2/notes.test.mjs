import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { fakePerson } from "wisp-broker/testing";
import { notesServer } from "./notes.mjs";

test("a note is filed where the person says", async () => {
  const person = fakePerson();
  person.says({ choose: ["home"] });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1" });
  await Promise.all([notesServer(person.wisp).connect(far), client.connect(near)]);
  const result = await client.callTool({ name: "file_note", arguments: { file: "list.txt" } });
  assert.match(JSON.stringify(result.content), /home/);
  await client.close();
  person.leave();
});
