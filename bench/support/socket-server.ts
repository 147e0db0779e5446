/** The floor of an answer: the same answer sent over an open Unix socket, checked there, and acknowledged. */
import { connect, type Socket } from "node:net";
import { type Asked, yesTo } from "./asking.js";
import { newPlace } from "./places.js";
import { nowUs, rest, startWorker } from "./worker.js";

export interface SocketServer {
  /** Microseconds from before the answer is sent until its acknowledgement was read. */
  answerOne(): Promise<number>;
  close(): Promise<void>;
}

export async function startSocketServer(): Promise<SocketServer> {
  const place = newPlace();
  const path = place.path("socket");
  const asked: Asked = { id: "abcdefgh", binding: "0".repeat(64) };
  const worker = startWorker("workers/socket-server", { socket: path, asked });
  await worker.next();
  const socket = await connected(path);
  return {
    async answerOne() {
      const line = `${JSON.stringify(yesTo(asked))}\n`;
      await rest();
      const startedAt = nowUs();
      socket.write(line);
      const { isTaken } = JSON.parse(await nextLine(socket));
      const us = nowUs() - startedAt;
      if (isTaken !== true) throw new Error("The answer over the socket was not taken.");
      return us;
    },
    async close() {
      socket.destroy();
      await worker.stop();
      place.remove();
    },
  };
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => resolve(socket));
    socket.once("error", reject);
  });
}

function nextLine(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const onData = (data: Buffer): void => {
      text += data;
      if (!text.endsWith("\n")) return;
      socket.off("data", onData);
      resolve(text);
    };
    socket.on("data", onData);
  });
}
