/**
 * What a terminal sends, as keys. Invariant: what is no key that we know is dropped whole. Terminals answer questions of
 * whoever asked last (`ESC[?1;2c`, `ESC]11;rgb:dddd/…`), and a decoder that skips only the beginning of what it does not
 * know, as Node's readline does, types the rest: letters that would answer.
 */
import type { Key } from "../state/event.js";

/** One thing that was typed, pasted or told, without its time. */
export type Heard =
  | { readonly kind: "key"; readonly key: Key }
  | { readonly kind: "pasted"; readonly text: string }
  /** The terminal has the focus again. */
  | { readonly kind: "focused" };

/** Turns the text of a terminal into what was heard; pieces may be cut anywhere between two characters. */
export interface Decoder {
  /** Takes the next piece. */
  push(text: string): readonly Heard[];
  /** Is something begun that may go on in the next piece? Then `flush` is to be called where none comes. */
  isWaiting(): boolean;
  /** Nothing more has come for a moment: a lone escape is the key, and anything else that was begun is none. */
  flush(): readonly Heard[];
  /** Nothing more has come for long: what was begun has no end, unless it is a paste. Until then its rest is no key either. */
  forget(): void;
}

/** More is no paste but an end of it that was lost. */
const longestPaste = 65_536;

/** Of a longer reply the middle is not kept. */
const longestReply = 4_096;

const pasteStart = "\u001b[200~";
const pasteEnd = "\u001b[201~";
const interrupt = "\u0003";

/** A decoder that has heard nothing yet. */
export function createDecoder(): Decoder {
  let rest = "";

  function take(): readonly Heard[] {
    const heard: Heard[] = [];
    while (rest !== "") {
      const piece = nextPiece(rest);
      if (piece === null) {
        rest = shortened(rest);
        break;
      }
      rest = rest.slice(piece.length);
      if (piece.heard !== null) heard.push(piece.heard);
    }
    return heard;
  }

  return {
    push(text) {
      rest += text;
      return take();
    },
    isWaiting: () => rest !== "",
    flush() {
      if (rest !== "\u001b") return [];
      rest = "";
      return [named("escape")];
    },
    forget() {
      // What is pasted may take long to arrive, and its end comes.
      if (!rest.startsWith(pasteStart)) rest = "";
    },
  };
}

/** What was begun, without what does not matter for where it ends. Pastes come to their end by their own length. */
function shortened(begun: string): string {
  if (begun.length < longestReply || begun.startsWith(pasteStart)) return begun;
  return `${begun.slice(0, 2)}${begun.slice(-1)}`;
}

/** The beginning of what was sent: how many characters it has and what it says, if anything. */
interface Piece {
  readonly length: number;
  readonly heard: Heard | null;
}

/** Null where the rest of it has yet to come. */
function nextPiece(text: string): Piece | null {
  if (text.startsWith(pasteStart)) return pasteIn(text);
  if (!text.startsWith("\u001b")) return typedIn(text);
  const opener = text[1];
  if (opener === undefined) return null;
  // A control key ends what was begun before it, so that no half of a reply keeps a person from leaving.
  if (opener === interrupt) return { length: 1, heard: null };
  if (opener === "\u001b") return { length: 1, heard: named("escape") };
  if (opener === "[") return controlIn(text);
  if (opener === "O") return text.length < 3 ? null : { length: 3, heard: sequence(`O${text[2]}`) };
  if ("]P_^X".includes(opener)) return replyIn(text);
  const [character = ""] = text.slice(1);
  const isLetter = /^[\x20-\x7e]$/.test(character);
  const heard = isLetter ? keyOf("", { name: character.toLowerCase(), isMeta: true }) : null;
  return { length: 1 + character.length, heard };
}

/** From the mark of its beginning to that of its end everything is text, whatever it looks like. */
function pasteIn(text: string): Piece | null {
  const end = text.indexOf(pasteEnd);
  const stop = text.indexOf(interrupt);
  const pasted = (length: number, skipped: number): Piece => ({
    length: length + skipped,
    heard: { kind: "pasted", text: text.slice(pasteStart.length, length) },
  });
  // Ctrl-C leaves, also where the end of a paste was lost. Terminals paste no control characters.
  if (stop !== -1 && (end === -1 || stop < end)) return pasted(stop, 0);
  if (end !== -1) return pasted(end, pasteEnd.length);
  return text.length > longestPaste ? pasted(text.length, 0) : null;
}

/** `ESC [`, parameters, a final letter. A mouse in the oldest way sends three characters after its letter. */
function controlIn(text: string): Piece | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const found = /^\u001b\[([0-?]*)[ -/]*([@-~])/.exec(text);
  if (found !== null) {
    const [whole, parameters = "", letter = ""] = found;
    if (letter === "M" && parameters === "") {
      return text.length < whole.length + 3 ? null : { length: whole.length + 3, heard: null };
    }
    return { length: whole.length, heard: sequence(`[${parameters}${letter}`) };
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const begun = /^\u001b\[[0-?]*[ -/]*/.exec(text)?.[0] ?? "";
  return begun.length === text.length ? null : { length: begun.length, heard: null };
}

/** A reply that is a text of its own, to its end: BEL or `ESC \`. */
function replyIn(text: string): Piece | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  const end = /\u0007|\u001b\\|\u0003|[\u0018\u001a]/.exec(text.slice(2));
  if (end === null) return null;
  const isInterrupted = end[0] === interrupt;
  return { length: 2 + end.index + (isInterrupted ? 0 : end[0].length), heard: null };
}

function typedIn(text: string): Piece {
  const character = String.fromCodePoint(text.codePointAt(0) ?? 0);
  const { length } = character;
  const code = character.codePointAt(0) ?? 0;
  const name = plainNames.get(character);
  if (name !== undefined) return { length, heard: keyOf(name === "space" ? " " : "", { name }) };
  if (code < 0x20) {
    const letter = String.fromCharCode(code + 0x60);
    return { length, heard: keyOf("", { name: letter, isControl: true }) };
  }
  // What is drawn as nothing, or moves what is drawn, is no character that a person types.
  if (/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(character)) return { length, heard: null };
  return { length, heard: keyOf(character, { isShift: /\p{Lu}/u.test(character) }) };
}

const plainNames: ReadonlyMap<string, string> = new Map([
  ["\r", "return"],
  ["\n", "return"],
  ["\t", "tab"],
  ["\u007f", "backspace"],
  ["\b", "backspace"],
  [" ", "space"],
]);

const sequenceNames: ReadonlyMap<string, string> = new Map([
  ["[A", "up"],
  ["[B", "down"],
  ["[C", "right"],
  ["[D", "left"],
  ["[H", "home"],
  ["[F", "end"],
  ["OA", "up"],
  ["OB", "down"],
  ["OC", "right"],
  ["OD", "left"],
  ["OH", "home"],
  ["OF", "end"],
  ["[1~", "home"],
  ["[7~", "home"],
  ["[4~", "end"],
  ["[8~", "end"],
  ["[3~", "delete"],
  ["[5~", "pageup"],
  ["[6~", "pagedown"],
]);

/** The key or the message behind `code`; null for what is none of ours. */
function sequence(code: string): Heard | null {
  if (code === "[I") return { kind: "focused" };
  if (code === "[Z") return keyOf("", { name: "tab", isShift: true });
  if (isInterrupt(code)) return keyOf("", { name: "c", isControl: true });
  const name = sequenceNames.get(code);
  return name === undefined ? null : named(name);
}

/**
 * Ctrl-C in the protocols for keys that another program may have left on: whoever cannot type anything else can leave.
 * Held are control, caps lock and num lock, or some of them; a key that is let go is none.
 */
function isInterrupt(code: string): boolean {
  const [, held] = /^\[99(?::\d*)*;(\d+)(?::[12])?u$/.exec(code) ?? /^\[27;(\d+);99~$/.exec(code) ?? [];
  return held !== undefined && ((Number(held) - 1) & ~(64 | 128)) === 4;
}

function named(name: string): Heard {
  return keyOf("", { name });
}

function keyOf(text: string, rest: Partial<Key>): Heard {
  return { kind: "key", key: { text, name: "", isControl: false, isMeta: false, isShift: false, ...rest } };
}
