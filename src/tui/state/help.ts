/** What every key does. Keys never move. */

/** One line for each key, in the order in which they stand on the screen. */
export const helpLines: readonly string[] = [
  "y          approve, once",
  "s          approve for the session",
  "p          approve for the project: shows the rule and takes p again",
  "a          approve always: shows the rule and takes a again",
  "d          deny",
  "r          deny and say why",
  "n          approve once, with a note for the agent",
  "l          leave it and go to the next",
  "v          view all of it; lists what a row of many stands for",
  "w          why it asks: the rule, the level, what an answer from here counts as",
  "tab j k    next, next, the one before",
  "f          filter",
  "h          how requests ended",
  "/ i        type a command",
  "D          twice: deny all of a thread that asks too much",
  "↑ ↓ PgUp PgDn Home End   scroll",
  "Esc        back",
  "?          this",
  "q Ctrl-C   leave; nothing is answered",
  "",
  "A key decides only after half a second without a key in which nothing changed. Enter, space and digits never approve.",
  "Approving keys are off until the end of what runs was on the screen; s until what it covers was there, too.",
  "What is dangerous takes a word that you type, letter by letter; it cannot be pasted.",
];
