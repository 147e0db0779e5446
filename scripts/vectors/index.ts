/** All files below test/vectors/channel, made anew; always the same bytes. */
import { answerVectors } from "./answers.js";
import { badRequestVectors } from "./bad-requests.js";
import { goodRequestVectors } from "./good-requests.js";
import { receiptVectors, spoolVectors } from "./receipts.js";
import { refusalVectors } from "./refusals.js";
import { bytesOf, type Vector } from "./vector.js";

export interface VectorIndex {
  readonly format: string;
  readonly vectors: readonly Vector[];
}

/** Bytes of each file by its path below test/vectors/channel, `index.json` among them. */
export function channelVectors(): ReadonlyMap<string, Uint8Array> {
  const files = [
    ...goodRequestVectors(),
    ...badRequestVectors(),
    ...answerVectors(),
    ...receiptVectors(),
    ...refusalVectors(),
    ...spoolVectors(),
  ];
  const index: VectorIndex = { format: "wisp-broker 1", vectors: files.map((file) => file.vector) };
  const all = new Map(files.map((file) => [file.vector.file, file.bytes]));
  if (all.size !== files.length) throw new Error("Two vectors have one name.");
  return all.set("index.json", bytesOf(`${JSON.stringify(index, null, 2)}\n`));
}
