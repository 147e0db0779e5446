/** What a call of a tool does to files, as a preset says it of a server that it knows. Pure data. */

/** Each text is an RFC 9535 path into the arguments of the call, which leads to one text, and `edits` to each edit. */
export type PreviewSpec =
  /** The file at `target` holds `content` afterwards, and nothing else; null: nothing is there any more. */
  | { readonly target: string; readonly content: string | null }
  /** `edits`, of `oldText` and `newText` each, are applied to the file at `target`, as server-filesystem does it. */
  | { readonly target: string; readonly edits: string }
  /** What is at `source` is at `target` afterwards. */
  | { readonly source: string; readonly target: string };
