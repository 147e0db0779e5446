/**
 * A talk with a server that nobody knows yet: it is asked, and whatever it asks or tells by itself is refused or passed over.
 * Invariant: what it answers was read strictly, so that nobody reads something else in it.
 */
import { type JsonObjection, parseStrictJson, WispError } from "../../../broker/index.js";
import { isObject, type JsonObject } from "../frames/json-object.js";

/** One talk, over whatever its lines come by. */
export interface Talk {
  /** Hears one line of the server. */
  hear(line: Buffer): void;
  /** Resolves with the whole answer, a result or an error. Rejects with upstream_unavailable where none comes. */
  ask(method: string, params: JsonObject): Promise<JsonObject>;
  tell(method: string): void;
  /** What waits is not answered any more, for the reason given in words. Only the first one counts. */
  end(why: string): void;
}

/** Where its lines go. */
export interface TalkEnds {
  /** Newline included. */
  readonly send: (line: string) => void;
  /** A line that is no message. */
  readonly onStray: (line: Buffer) => void;
}

/** A schema in a schema is deep, and one that is deeper is none. */
const rules = { deepest: 64, areValuesChecked: false } as const;
/** A line of which these are said was meant as a message, by somebody who wants it read in two ways. */
const hostile: ReadonlySet<JsonObjection> = new Set(["duplicate key", "forbidden key", "nested too deep"]);
const methodNotFound = -32_601;

/** Nothing was said yet. */
export function createTalk({ send, onStray }: TalkEnds): Talk {
  const waiting = new Map<unknown, { resolve(answer: JsonObject): void; reject(error: WispError): void }>();
  let ended: WispError | null = null;
  let asked = 0;

  function write(message: JsonObject): void {
    send(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  function end(why: string): void {
    ended ??= new WispError("upstream_unavailable", why);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  }

  function heard(message: JsonObject): void {
    const { id, method } = message;
    if (typeof method === "string") {
      if (id === undefined) return;
      const refusal = { code: methodNotFound, message: "Nothing but its tools is asked for." };
      write(method === "ping" ? { id, result: {} } : { id, error: refusal });
      return;
    }
    const one = waiting.get(id);
    waiting.delete(id);
    one?.resolve(message);
  }

  return {
    hear(line) {
      if (ended !== null) return;
      const parsed = parseStrictJson(line, rules);
      if (parsed.ok && isObject(parsed.value)) heard(parsed.value);
      else if (!parsed.ok && hostile.has(parsed.objection))
        end(`It sent a message that can be read in two ways (${parsed.objection}).`);
      else onStray(line);
    },
    ask(method, params) {
      return new Promise((resolve, reject) => {
        if (ended !== null) return reject(ended);
        asked += 1;
        waiting.set(asked, { resolve, reject });
        write({ id: asked, method, params });
      });
    },
    tell: (method) => write({ method }),
    end,
  };
}
