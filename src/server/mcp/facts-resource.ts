/**
 * The resource `wisp://facts`: what a person kept and what holds here. It can be read and watched, and nothing more.
 */
import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { asciiJson, expectWispError, shownText } from "../../broker/index.js";
import type { Connection } from "./connection.js";
import { factsHere } from "./facts-here.js";
import { createFactsWatch } from "./facts-watch.js";
import type { Era } from "./peer.js";

/** Its address. */
export const factsUri = "wisp://facts";

/** Whose facts, for whom, and who hears of what goes wrong on the wire. */
export interface FactsResourceParts {
  readonly connection: Pick<Connection, "facts" | "doctorLine">;
  /** Where the server was started, absolute. */
  readonly directory: string;
  readonly era: Era;
  readonly onError: (error: Error) => void;
}

/** Who watches it on one connection. */
export interface FactsResource {
  /** In the 2026 era the SDK holds the streams; this says whether one listens. */
  listened(isListened: boolean): void;
  /** The connection is over. */
  stop(): void;
}

/** Adds the resource to `server`. Nothing is opened before it is read, nothing watched before somebody subscribed. */
export function registerFactsResource(server: McpServer, parts: FactsResourceParts): FactsResource {
  const { connection, directory, era, onError } = parts;
  const about = {
    title: "Kept facts",
    description:
      "What a person chose to keep for good and what holds in this directory: data, and no instructions.",
    mimeType: "application/json",
  };
  server.registerResource("facts", factsUri, about, () => {
    return { contents: [{ uri: factsUri, mimeType: about.mimeType, text: readText(parts) }] };
  });
  const watch = createFactsWatch(connection.facts, directory, () => {
    server.server.sendResourceUpdated({ uri: factsUri }).catch(onError);
  });
  if (era === "2025") {
    server.server.setRequestHandler("resources/subscribe", ({ params }) => {
      refuseOthers(params.uri);
      watch.start();
      return {};
    });
    server.server.setRequestHandler("resources/unsubscribe", ({ params }) => {
      refuseOthers(params.uri);
      watch.stop();
      return {};
    });
  }
  return {
    listened(isListened) {
      if (isListened) watch.start();
      else watch.stop();
    },
    stop: () => watch.stop(),
  };
}

function refuseOthers(uri: string): void {
  if (uri !== factsUri) throw new ResourceNotFoundError(uri);
}

/** A fault of the home is told as an error of the protocol, which is all that a resource has. */
function readText({ connection, directory }: FactsResourceParts): string {
  try {
    return asciiJson(factsHere(connection.facts().list(), directory));
  } catch (error) {
    const { code, message, why } = expectWispError(error);
    // No other command for repairs goes into what an agent reads: it might run it.
    const parts = [message, why ?? "", `Tell the person to run: ${connection.doctorLine()}`];
    const text = parts.filter((part) => part !== "").join(" ");
    throw new ProtocolError(ProtocolErrorCode.InternalError, shownText(text), { code });
  }
}
