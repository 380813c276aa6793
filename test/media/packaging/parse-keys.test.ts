import { expect, test } from "vitest";
import { buildProtection, contentKeyOf } from "../../../media/encryption/protection.ts";
import { encryption } from "../../../media/encryption/schema.ts";
import { parseIv } from "../../../media/packaging/parse-keys.ts";

test("an initialisation vector has 8 or 16 bytes, in hexadecimal or base64", () => {
  expect(parseIv("0x0011223344556677", "it")).toBe("0011223344556677");
  expect(parseIv("ABEiM0RVZnc=", "it")).toBe("0011223344556677");
  expect(parseIv("00112233445566778899aabbccddeeff", "it")).toBe("00112233445566778899aabbccddeeff");
  expect(() => parseIv("00112233", "it")).toThrow("it is not 16 bytes");
});

const keyOf = (schema: string) => {
  const written = encryption.parse({ schema, key: "a", key_id: "0".repeat(32), iv: "0011223344556677" });
  const protection = buildProtection(written, "encryptions/0", "key0", "pack");
  return protection && contentKeyOf(protection, { isTransport: false }, undefined);
};

test("8 bytes are for counters alone", () => {
  expect(keyOf("mpeg-cenc")).toMatchObject({ iv: "0011223344556677" });
  for (const schema of ["mpeg-cbcs", "mpeg-cbc1", "sample-aes"])
    expect(() => keyOf(schema)).toThrow(`pack.payload.encryptions[0].iv has 8 bytes, which only`);
});
