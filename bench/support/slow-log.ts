/** An audit log that is spoilt on purpose: what must be durable is written four times over. */
import type { AuditLog } from "../../src/broker/index.js";

export function slowLog(log: AuditLog): AuditLog {
  return {
    async append(events, durability) {
      const times = durability === "durable" ? 4 : 1;
      for (let time = 0; time < times; time += 1) await log.append(events, durability);
    },
  };
}
