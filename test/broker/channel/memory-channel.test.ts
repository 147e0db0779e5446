import type { RefusedAnswer } from "../../../src/broker/channel/channel.js";
import { describeChannel } from "../../support/channel-contract.js";
import { FakeClock } from "../../support/fake-clock.js";
import { memoryChannel, memoryPlace, plant, removeRequest } from "../../support/memory-channel.js";

describeChannel("in memory", (witness) => {
  const place = memoryPlace();
  const clock = new FakeClock();
  const refused: RefusedAnswer[] = [];
  const asker = memoryChannel(place, { clock, witness, onRefused: (one) => refused.push(one) });
  const face = memoryChannel(place, { clock });
  return {
    asker,
    face,
    refused,
    plant: (name, content) => plant(place, name, content),
    removeRequest: (id) => removeRequest(place, id),
    close() {
      asker.close();
      face.close();
    },
  };
});
