import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homeAt } from "../../../src/broker/channel/home.js";
import { kinds, requestFileName } from "../../../src/broker/request/request.js";
import { describeChannel } from "../../support/channel-contract.js";
import { askerOf, faceOf } from "../../support/temp-home.js";

describeChannel("a directory", (witness) => {
  const directory = mkdtempSync(join(tmpdir(), "wisp-test-"));
  const home = homeAt(join(directory, "home"), false);
  const { channel: asker, refused } = askerOf(home, { witness });
  const face = faceOf(home);
  return {
    asker,
    face,
    refused,
    plant: (name, content) => writeFileSync(join(home.pending, name), content, { mode: 0o600 }),
    removeRequest: (id) => {
      for (const kind of kinds) removeIfThere(join(home.pending, requestFileName({ id, kind })));
    },
    close: () => {
      asker.close();
      face.close();
      rmSync(directory, { recursive: true });
    },
  };
});

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // A request has one of the three names.
  }
}
