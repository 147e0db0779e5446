/** Exit codes of `wisp`: scripts branch on them, so none ever changes its meaning. */
export const exits = {
  done: 0,
  unexpected: 1,
  usage: 2,
  /** Nothing such waits. */
  unknown: 3,
  /** Standard input is not a terminal. */
  noTerminal: 4,
  /** Answered first elsewhere, or settled already. */
  answered: 5,
  /** The request was changed after it was filed. */
  altered: 6,
  /** Denied or timed out, or the person did not confirm. */
  notApproved: 7,
  unsafe: 8,
  /** The server that asked is gone. */
  stale: 9,
  /** This way of answering is not enough for the request. */
  assurance: 10,
  /** A file of the person's cannot be used: config.json, policy.json, remembered.json. */
  faulty: 78,
  interrupted: 130,
} as const;
