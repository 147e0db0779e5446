import { describe, expect, it } from "vitest";
import { withEdit } from "../../../src/tui/edit-fields.js";
import { foldedCard } from "../../../src/tui/screen/card-rows.js";
import { approvalRequest } from "../../support/builders.js";
import { permissionSubject, toolSubject } from "../../support/request-kinds.js";
import { viewFor } from "../../support/tui-events.js";

const edit = { file_path: "a.txt", old_string: "one\ntwo\u202e", new_string: "one\n2" };
const plain = { definition: null, preview: null };

describe("an edit that a tool is asked to make", () => {
  it.each([
    ["permission", permissionSubject({ input: edit })],
    ["tool", toolSubject({ ...plain, arguments: edit })],
  ])("is shown line by line behind its arguments, escaped: %s", (_kind, subject) => {
    const request = approvalRequest({ subject });
    const { rows, lastContent } = foldedCard(withEdit(viewFor(request), request).card, 60);
    expect(rows.slice(lastContent - 2, lastContent + 1).map(({ text, tone }) => [text, tone])).toEqual([
      ["  one", "content"],
      ["- two\\u{202e}", "removed"],
      ["+ 2", "added"],
    ]);
    expect(rows.filter(({ text }) => text.includes("old_string"))).toHaveLength(1);
  });

  it("is none where either text is missing or is no text", () => {
    for (const input of [{ old_string: "a" }, { old_string: 1, new_string: "b" }, {}]) {
      const request = approvalRequest({ subject: permissionSubject({ input }) });
      const view = viewFor(request);
      expect(withEdit(view, request)).toBe(view);
    }
  });
});
