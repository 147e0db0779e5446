import { describe, expect, it } from "vitest";
import { createOpenRequests } from "../../../../src/server/gate/frames/open-requests.js";

function waiting(isSent = true) {
  const heard: string[] = [];
  return {
    heard,
    request: {
      isSent,
      onAnswer: (line: Buffer) => void heard.push(line.toString()),
      onLost: (why: string) => void heard.push(why),
    },
  };
}

describe("an answer", () => {
  it("reaches who waits under its id, once", () => {
    const open = createOpenRequests();
    const { request, heard } = waiting();
    open.add(1, request);
    open.answer(1, Buffer.from("first"));
    open.answer(1, Buffer.from("second"));
    expect(heard).toEqual(["first"]);
  });

  it("tells a text and a number apart", () => {
    const open = createOpenRequests();
    const [text, number] = [waiting(), waiting()];
    open.add("1", text.request);
    open.add(1, number.request);
    open.answer("1", Buffer.from("text"));
    expect([text.heard, number.heard]).toEqual([["text"], []]);
  });

  it("to what was not sent reaches nobody, and the true one still does", () => {
    const open = createOpenRequests();
    const { request, heard } = waiting(false);
    open.add(1, request);
    open.answer(1, Buffer.from("guessed"));
    request.isSent = true;
    open.answer(1, Buffer.from("true"));
    expect(heard).toEqual(["true"]);
  });
});

describe("an id", () => {
  it("is under way until it is removed, also when its answer has come", () => {
    const open = createOpenRequests();
    open.add(1, waiting().request);
    open.answer(1, Buffer.from("done"));
    expect(open.has(1)).toBe(true);
    expect(() => open.add(1, waiting().request)).toThrow(TypeError);
    open.remove(1);
    expect(open.has(1)).toBe(false);
    expect(open.get(1)).toBeNull();
    open.add(1, waiting().request);
    expect(open.has(1)).toBe(true);
  });

  it("is told with all the others, the oldest first", () => {
    const open = createOpenRequests();
    const [first, second] = [waiting(), waiting()];
    open.add(2, first.request);
    open.add(1, second.request);
    expect(open.all()).toEqual([first.request, second.request]);
  });
});
