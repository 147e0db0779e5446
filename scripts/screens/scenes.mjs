/** The screens of the page, and how each is reached. */
import { edit, fact, flood, offering, permission, push, question, removal, tests } from "./requests.mjs";

/**
 * @typedef {object} Scene
 * @property {string} title
 * @property {string} about
 * @property {readonly object[]} drafts what waits, the oldest first
 * @property {number} columns
 * @property {number} rows
 * @property {readonly string[]} [words] after the program's name
 * @property {readonly (RegExp | string)[]} steps what to wait for, and what to type
 */

/** @type {readonly Scene[]} */
export const scenes = [
  {
    title: "Nothing waits",
    about: "The face says where it listens.",
    drafts: [],
    columns: 80,
    rows: 14,
    steps: [/Nothing waits for you/],
  },
  {
    title: "One approval",
    about:
      "What runs stands beside a heavy bar, the agent's own words between broken bars. Level and time left are in the frame.",
    drafts: [push],
    columns: 80,
    rows: 26,
    steps: [/Run a command\?[\s\S]*runs/],
  },
  {
    title: "Something dangerous",
    about:
      "Characters that cannot be seen are written out. After `y` a word of the command has to be typed; it cannot be pasted.",
    drafts: [removal],
    columns: 80,
    rows: 28,
    steps: [/DANGEROUS[\s\S]*runs/, "y", /to approve/],
  },
  {
    title: "What a yes can remember",
    about:
      "For each scope that is offered, and each form of the rule a call that it would let through, and one not.",
    drafts: [offering],
    columns: 80,
    rows: 34,
    steps: [/Run a command\?[\s\S]*but not/],
  },
  {
    title: "A rule before it is remembered",
    about:
      "After `p` the rule stands there whole, and `p` once more remembers it; here `↓` has shown another form.",
    drafts: [offering],
    columns: 80,
    rows: 24,
    steps: [/Run a command\?[\s\S]*runs/, "v", "\u001b[F", "p", /Remember this rule\?/, "\u001b[B", /2 of 2/],
  },
  {
    title: "Three wait",
    about: "The oldest first, whoever asks. `tab` moves.",
    drafts: [push, tests, removal],
    columns: 80,
    rows: 28,
    steps: [/1 of 3 waiting[\s\S]*runs/, "\t", /2 of 3 waiting[\s\S]*runs +┃ npm test/],
  },
  {
    title: "A tool call that replaces a text",
    about: "Every argument, and what goes (`-`) and comes (`+`).",
    drafts: [edit],
    columns: 80,
    rows: 44,
    steps: [/Call a tool\?[\s\S]*change/],
  },
  {
    title: "A permission that a client asks for",
    about: "Its whole input.",
    drafts: [permission],
    columns: 80,
    rows: 24,
    steps: [/Permit a tool\?[\s\S]*with/],
  },
  {
    title: "A fact to keep",
    about:
      "What would be kept, whole, and beside it what is kept already. `y` keeps it for its directory, `a` everywhere.",
    drafts: [fact],
    columns: 80,
    rows: 24,
    steps: [/Keep a fact\?[\s\S]*value/],
  },
  {
    title: "A question",
    about:
      "Digits choose, `o` opens a box for a text, and `y` sends what stands below the card; here after `2`.",
    drafts: [question],
    columns: 80,
    rows: 24,
    steps: [/A question[\s\S]*asks/, "2", /y sends: 2/],
  },
  {
    title: "Many of one thread",
    about: "More than five a minute of one thread stand in one row. `v` lists them, `D` twice denies all.",
    drafts: flood,
    columns: 80,
    rows: 26,
    steps: [/8 requests for/],
  },
  {
    title: "Why it asks",
    about: "`w` shows the rule, the level and what a yes for the session covers, whole.",
    drafts: [push],
    columns: 80,
    rows: 28,
    steps: [/Run a command\?[\s\S]*runs/, "w", /esc/],
  },
  {
    title: "Keys",
    about: "`?` lists them.",
    drafts: [push],
    columns: 80,
    rows: 54,
    steps: [/Run a command\?[\s\S]*runs/, "?", /Keys/],
  },
  {
    title: "How requests ended",
    about: "`h` opens it, here after one was denied with `d`.",
    drafts: [tests],
    columns: 80,
    rows: 14,
    steps: [
      /Run a command\?[\s\S]*runs/,
      "d",
      /Nothing waits for you/,
      "h",
      /How requests ended[\s\S]*npm test/,
    ],
  },
  {
    title: "60 columns",
    about: "The queue leaves out who asks: the card says it.",
    drafts: [push, tests],
    columns: 60,
    rows: 28,
    steps: [/1 of 2 waiting[\s\S]*runs/],
  },
  {
    title: "200 columns",
    about: "Queue and card beside each other.",
    drafts: [push, tests, removal],
    columns: 200,
    rows: 24,
    steps: [/1 of 3 waiting[\s\S]*runs/],
  },
  {
    title: "Too small for a card",
    about: "Nothing can be answered here.",
    drafts: [push, tests],
    columns: 38,
    rows: 8,
    steps: [/2 waiting/],
  },
  {
    title: "Read aloud",
    about: "With `--screen-reader`: whole lines, no frames, answers by typed words.",
    drafts: [push],
    columns: 120,
    rows: 34,
    words: ["--screen-reader"],
    steps: [/Runs: git push/],
  },
];
