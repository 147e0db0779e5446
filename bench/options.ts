/** What the benchmark is told to do. */
import { parseArgs } from "node:util";

export interface Options {
  /** End with 1 when a row fails. */
  readonly isCheck: boolean;
  /** Run the deliberate failures instead, and end with 1 when a gate does not see one. */
  readonly isProof: boolean;
  readonly isFull: boolean;
  /** Write the results into docs/benchmarks.md. */
  readonly isWritten: boolean;
  /** Names of the rows to run; empty for all. */
  readonly only: readonly string[];
}

export const usage = `npm run bench -- [--check | --prove] [--only NAME]… [--full] [--write]

  --check  end with 1 when a ratio is worse than its bar, with 2 when a row cannot be measured
  --prove  run each row with its deliberate failure; end with 1 when a gate lets one pass
  --only   this row only; may be given several times
  --full   the long run of rows that count
  --write  write the results into docs/benchmarks.md
`;

/** Throws an Error for arguments that mean nothing. */
export function parseOptions(argv: readonly string[], names: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      check: { type: "boolean", default: false },
      prove: { type: "boolean", default: false },
      full: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      only: { type: "string", multiple: true, default: [] },
    },
  });
  const unknown = values.only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`No row is called ${unknown}. Rows: ${names.join(", ")}.`);
  if (values.prove && (values.check || values.write)) {
    throw new Error("--prove spoils what it measures: it goes with neither --check nor --write.");
  }
  if (values.write && values.only.length > 0) throw new Error("--write takes all rows.");
  return {
    isCheck: values.check,
    isProof: values.prove,
    isFull: values.full,
    isWritten: values.write,
    only: values.only,
  };
}
