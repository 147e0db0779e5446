import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDecoder, type Heard } from "../../../src/tui/terminal/keys.js";

/** What is heard of `pieces`, with a pause after the last. */
function heardOf(...pieces: readonly string[]): readonly Heard[] {
  const decoder = createDecoder();
  const heard = pieces.flatMap((piece) => decoder.push(piece));
  const flushed = decoder.isWaiting() ? decoder.flush() : [];
  return [...heard, ...flushed];
}

/** In short: what types a character is that, anything else its name in brackets. */
function inShort(heard: readonly Heard[]): string {
  return heard
    .map((one) => {
      if (one.kind !== "key") return one.kind === "pasted" ? `<pasted ${one.text}>` : "<focused>";
      const { text, name, isControl, isMeta } = one.key;
      const marks = `${isControl ? "ctrl-" : ""}${isMeta ? "meta-" : ""}`;
      return text !== "" && text !== " " ? text : `<${marks}${name}>`;
    })
    .join("");
}

const sequences: readonly (readonly [sent: string, heard: string])[] = [
  ["y", "y"],
  ["Y", "Y"],
  ["é", "é"],
  ["漢", "漢"],
  ["😀", "😀"],
  [" ", "<space>"],
  ["\r", "<return>"],
  ["\n", "<return>"],
  ["\t", "<tab>"],
  ["\u001b[Z", "<tab>"],
  ["\u007f", "<backspace>"],
  ["\b", "<backspace>"],
  ["\u0003", "<ctrl-c>"],
  ["\u001a", "<ctrl-z>"],
  ["\u001b[99;5u", "<ctrl-c>"],
  ["\u001b[99;5:1u", "<ctrl-c>"],
  ["\u001b[99;69u", "<ctrl-c>"],
  ["\u001b[99;133u", "<ctrl-c>"],
  ["\u001b[99;5:3u", ""],
  ["\u001b[99;1u", ""],
  ["\u001b[99;6u", ""],
  ["\u001b[27;5;99~", "<ctrl-c>"],
  ["\u001b[27;1;99~", ""],
  ["\u001b[113u", ""],
  ["\u001b", "<escape>"],
  ["\u001by", "<meta-y>"],
  ["\u001b[A", "<up>"],
  ["\u001bOA", "<up>"],
  ["\u001b[B", "<down>"],
  ["\u001b[C", "<right>"],
  ["\u001b[D", "<left>"],
  ["\u001b[H", "<home>"],
  ["\u001b[1~", "<home>"],
  ["\u001b[F", "<end>"],
  ["\u001b[4~", "<end>"],
  ["\u001b[3~", "<delete>"],
  ["\u001b[5~", "<pageup>"],
  ["\u001b[6~", "<pagedown>"],
  ["\u001b[I", "<focused>"],
  ["\u001b[O", ""],
  ["\u001b[200~rm -rf /\ry\u001b[A\u001b[201~", "<pasted rm -rf /\ry\u001b[A>"],
];

/** What terminals send that no key of ours is. */
const replies: readonly (readonly [what: string, sent: string])[] = [
  ["what the terminal is", "\u001b[?1;2c"],
  ["where its caret is", "\u001b[24;80R"],
  ["which mode is set", "\u001b[?2026;2$y"],
  ["its colour", "\u001b]11;rgb:dddd/aaaa/5555\u0007"],
  ["its colour, ended the other way", "\u001b]11;rgb:dddd/aaaa/5555\u001b\\"],
  ["its name", "\u001bP>|yes dear(370)\u001b\\"],
  ["a mouse", "\u001b[<0;10;20M"],
  ["a mouse of old", "\u001b[M yd"],
  ["a key of another protocol", "\u001b[121u"],
  ["a key with others held", "\u001b[1;5A"],
  ["a function key", "\u001bOP"],
  ["an application's message", "\u001b_Gdays\u001b\\"],
  ["a single control character of eight bits", "\u0085"],
];

describe("what a terminal sends", () => {
  it.each(sequences)("%j is heard as %s", (sent, heard) => {
    expect(inShort(heardOf(sent))).toBe(heard);
  });

  it("is heard the same however it is cut into pieces", () => {
    const all = sequences.filter(([sent]) => sent !== "\u001b").map(([sent]) => sent);
    const whole = inShort(heardOf(all.join("")));
    fc.assert(
      fc.property(fc.array(fc.nat(all.join("").length)), (cuts) => {
        const characters = [...all.join("")];
        const places = [0, ...cuts.filter((at) => at <= characters.length), characters.length];
        places.sort((a, b) => a - b);
        const pieces = places.map((at, index) =>
          characters.slice(at, places[index + 1] ?? characters.length).join(""),
        );
        expect(inShort(heardOf(...pieces))).toBe(whole);
      }),
    );
  });

  it.each(replies)("%s types nothing, and a key after it is heard", (_what, sent) => {
    expect(inShort(heardOf(sent))).toBe("");
    expect(inShort(heardOf(`${sent}y`))).toBe("y");
    expect(inShort(heardOf(...sent, "y"))).toBe("y");
  });

  it("and never ends types nothing once the terminal is silent for long, and a key after it is heard", () => {
    for (const begun of ["\u001b[?1;", "\u001b]11;rgb:dd", "\u001bP>|dad", "\u001bO", "\u001b[M d"]) {
      const decoder = createDecoder();
      expect(decoder.push(begun)).toEqual([]);
      expect(decoder.flush()).toEqual([]);
      expect(decoder.isWaiting()).toBe(true);
      decoder.forget();
      expect(decoder.isWaiting()).toBe(false);
      expect(inShort(decoder.push("y"))).toBe("y");
    }
  });

  it.each([
    ["\u001b[?2026;2$", "y"],
    ["\u001bP>|", "yes dear(370)\u001b\\"],
    ["\u001bP>|yes\u001b", "\\"],
    ["\u001bO", "y"],
    ["\u001b]11;rgb:", "dddd/aaaa/5555\u0007"],
  ])("in two pieces with a moment between them types nothing: %j, %j", (first, second) => {
    const decoder = createDecoder();
    expect(decoder.push(first)).toEqual([]);
    expect(decoder.flush()).toEqual([]);
    expect(decoder.push(second)).toEqual([]);
    expect(decoder.isWaiting()).toBe(false);
    expect(inShort(decoder.push("y"))).toBe("y");
  });

  it.each([
    ["\u001b]52;c;", "A", "yyyy\u0007"],
    ["\u001b]52;c;", "A", "yyyy\u001b\\"],
    ["\u001b]52;c;", "A", "\u001b\\"],
    ["\u001b[?", "1", ";2$y"],
    ["\u001b[?", "1", "y"],
  ])("is longer than any types nothing: %j and many %j", (begun, character, rest) => {
    const decoder = createDecoder();
    expect(decoder.push(begun)).toEqual([]);
    for (let sent = 0; sent < 5_000; sent += 1) expect(decoder.push(character)).toEqual([]);
    for (const one of rest) expect(decoder.push(one)).toEqual([]);
    expect(decoder.isWaiting()).toBe(false);
    expect(inShort(decoder.push("y"))).toBe("y");
    expect(inShort(heardOf(`${begun}${character.repeat(5_000)}`, rest, "d"))).toBe("d");
  });
});

describe("Ctrl-C", () => {
  it.each(["\u001b", "\u001b[?1;", "\u001b]11;rgb:dd", "\u001bP>|dad"])("is heard behind %j", (begun) => {
    expect(inShort(heardOf(`${begun}\u0003`))).toBe("<ctrl-c>");
  });

  it("is heard where the end of a paste was lost", () => {
    expect(inShort(heardOf("\u001b[200~abc", "\u0003"))).toBe("<pasted abc><ctrl-c>");
  });
});

describe("pasted text", () => {
  it("is no key, whatever it holds and however it is cut", () => {
    const characters = fc.string({
      unit: fc.constantFrom("y", "d", "\r", " ", "\u001b", "[", "é", "~", "2"),
    });
    fc.assert(
      fc.property(characters, fc.nat(), (text, cut) => {
        fc.pre(!text.includes("\u001b[201~"));
        const sent = `\u001b[200~${text}\u001b[201~`;
        const at = cut % sent.length;
        expect(heardOf(sent.slice(0, at), sent.slice(at))).toEqual([{ kind: "pasted", text }]);
      }),
    );
  });

  it("that takes long to arrive stays whole over a silence", () => {
    const decoder = createDecoder();
    expect(decoder.push("\u001b[200~main")).toEqual([]);
    expect(decoder.flush()).toEqual([]);
    expect(decoder.push(" y\u001b[201~")).toEqual([{ kind: "pasted", text: "main y" }]);
  });

  it("without an end is heard when it is longer than any", () => {
    const text = "y".repeat(70_000);
    expect(heardOf(`\u001b[200~${text}`)).toEqual([{ kind: "pasted", text }]);
  });
});
