/**
 * The least server that is answered over a Unix socket: reads an answer's line, checks what it is bound to, and
 * acknowledges it.
 */
import { createServer } from "node:net";
import type { Asked } from "../support/asking.js";
import { tell, workerOptions } from "../support/worker.js";

export interface SocketServerOptions {
  readonly socket: string;
  readonly asked: Asked;
}

const { socket, asked } = workerOptions<SocketServerOptions>();

createServer((connection) => {
  let text = "";
  connection.on("data", (data) => {
    text += data;
    if (!text.endsWith("\n")) return;
    const { id, binding } = JSON.parse(text);
    text = "";
    connection.write(`${JSON.stringify({ id, isTaken: id === asked.id && binding === asked.binding })}\n`);
  });
}).listen(socket, () => tell({ type: "ready" }));

process.on("disconnect", () => process.exit(0));
