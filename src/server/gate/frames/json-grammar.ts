/** The grammar of RFC 8259 as a table: which byte may come where. How lists and objects are nested is for whoever reads by it. */

/** What may come at a place: bytes, written as characters, and the place that each of them leads to. */
type Ways = Readonly<Record<string, string>>;

const blank = " \t\n\r";
const digit = "0123456789";
const hex = `${digit}abcdefABCDEF`;

/** What a value begins with. */
const value: Ways = {
  ...{ '"': "text", t: "t", f: "f", n: "n", "-": "minus", "0": "zero", "123456789": "whole" },
  ...{ "{": "object", "[": "list" },
};
/** What stands behind one. Which of it may, depends on what it is in. */
const behind: Ways = { [blank]: "behind", ",": "comma", "}": "endOfObject", "]": "endOfList" };

/** Places at which whoever reads has to say where it is then. The others lead on by themselves. */
const turns = ["object", "list", "endOfObject", "endOfList", "comma", "colon"] as const;

/** What comes at no place of this is no JSON. */
const grammar: Readonly<Record<string, Ways>> = {
  broken: {},
  start: { [blank]: "start", "{": "object" },
  end: { [blank]: "end" },
  firstKey: { [blank]: "firstKey", '"': "key", "}": "endOfObject" },
  nextKey: { [blank]: "nextKey", '"': "key" },
  behindKey: { [blank]: "behindKey", ":": "colon" },
  value: { [blank]: "value", ...value },
  firstItem: { [blank]: "firstItem", ...value, "]": "endOfList" },
  behind,
  ...textPlaces("key", "behindKey"),
  ...textPlaces("text", "behind"),
  ...wordPlaces("true"),
  ...wordPlaces("false"),
  ...wordPlaces("null"),
  minus: { "0": "zero", "123456789": "whole" },
  zero: { ".": "point", eE: "power", ...behind },
  whole: { [digit]: "whole", ".": "point", eE: "power", ...behind },
  point: { [digit]: "fraction" },
  fraction: { [digit]: "fraction", eE: "power", ...behind },
  power: { "+-": "sign", [digit]: "exponent" },
  sign: { [digit]: "exponent" },
  exponent: { [digit]: "exponent", ...behind },
};

/** Inside of a text, at `name`; behind it is `then`. What else may stand in it than what is written here, `stepTable` knows. */
function textPlaces(name: string, then: string): Readonly<Record<string, Ways>> {
  return {
    [name]: { '"': then, "\\": `${name}\\` },
    [`${name}\\`]: { '"\\/bfnrt': name, u: `${name}\\u` },
    [`${name}\\u`]: { [hex]: `${name}\\u0` },
    [`${name}\\u0`]: { [hex]: `${name}\\u00` },
    [`${name}\\u00`]: { [hex]: `${name}\\u000` },
    [`${name}\\u000`]: { [hex]: name },
  };
}

/** Each beginning of `word`. */
function wordPlaces(word: string): Readonly<Record<string, Ways>> {
  const places = Array.from(word.slice(1), (letter, at) => {
    const isLast = at === word.length - 2;
    return [word.slice(0, at + 1), { [letter]: isLast ? "behind" : word.slice(0, at + 2) }] as const;
  });
  return Object.fromEntries(places);
}

const names = [...Object.keys(grammar), ...turns];

/** A place as a number: to it a byte is added, and that is where `steps` has the next place. */
export type Place = number;

/** The place called so in the grammar. */
export function placeOf(name: string): Place {
  return names.indexOf(name) * 256;
}

/** From here on they are turns. */
export const firstTurn: Place = placeOf(turns[0]);

/** By place and byte, the next place. */
export const steps: Uint16Array = stepTable();

function stepTable(): Uint16Array {
  const table = new Uint16Array(Object.keys(grammar).length * 256).fill(placeOf("broken"));
  // Bytes of any letter may stand in a text as they are; that they are UTF-8 is not for this table.
  for (const text of ["key", "text"]) table.fill(placeOf(text), placeOf(text) + 0x20, placeOf(text) + 256);
  for (const [name, ways] of Object.entries(grammar)) {
    for (const [bytes, then] of Object.entries(ways)) {
      for (const byte of Buffer.from(bytes)) table[placeOf(name) + byte] = placeOf(then);
    }
  }
  return table;
}
