/** A fact that was decided, as a card: what it says, who proposed it and who decided. */
import type { DroppedFact, KeptFact } from "../broker/index.js";
import { type Card, clientText, newSheet } from "./card.js";
import { placeOf } from "./ended.js";
import { localTime } from "./late-texts.js";

/** `state` is ours: `kept (project)`. Every text of the fact is escaped in a field of its own. */
export function factCard(fact: KeptFact | DroppedFact, state: string): Card {
  const { id, subject, name, value, source, directory, proposedBy } = fact;
  const { thread, session, at } = proposedBy;
  const decided = "scope" in fact ? fact.keptBy : fact.droppedBy;
  const sheet = newSheet();
  sheet.ours("fact", id);
  sheet.ours("is", state);
  sheet.contentLine("about", subject);
  sheet.contentLine("name", name);
  sheet.content("value", value);
  sheet.theirs("source", source);
  sheet.theirs("in", directory);
  sheet.theirs("proposed by", clientText(proposedBy));
  sheet.theirs("thread", thread);
  sheet.theirs("session", session);
  sheet.ours("proposed", localTime(at));
  const verb = "scope" in fact ? "kept" : "dropped";
  sheet.ours(verb, `${localTime(decided.at)} ${placeOf(decided.via, "scope" in fact ? "keep" : "drop")}`);
  return sheet.card();
}
