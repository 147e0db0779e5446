import { describe, expect, test } from "vitest";
import { addressObjection } from "../../../src/broker/gates/address.js";

describe("an address of a server", () => {
  test.each([
    "https://example.com/mcp",
    "http://localhost:3000/mcp",
    "http://127.0.0.1/mcp",
    "http://127.1:80/",
    "http://2130706433/",
    "http://[::1]:3000/",
  ])("%s is taken", (address) => {
    expect(addressObjection(new URL(address))).toBeNull();
  });

  test.each([
    "http://example.com/mcp",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
    "http://192.168.0.1/",
    "http://0.0.0.0/",
    "http://[::ffff:127.0.0.1]/",
    "ftp://example.com/",
    "file:///etc/passwd",
  ])("%s is not", (address) => {
    expect(addressObjection(new URL(address))).toMatch(/^takes an /);
  });
});
