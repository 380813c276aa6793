import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { keyOfSeed } from "../../../../agent/steps/packaging/key-seed.ts";

const seed = "XVBovsmzhP9gRIZxWfFta3VVRPzVEWmJsazEJ46I";
const keyId = "10000000100010001000100000000001";
const stored = "00000010001000101000100000000001";

/** SHA-256 by OpenSSL's own program. */
const hashed = (hex: string): string =>
  execFileSync("openssl", ["dgst", "-sha256", "-r"], { input: Buffer.from(hex, "hex"), encoding: "utf8" }).slice(0, 64);

test("a key comes from the first 30 bytes of the seed and the key id as Microsoft stores it", () => {
  const seedHex = Buffer.from(seed, "base64").subarray(0, 30).toString("hex");
  const halves = [seedHex + stored, seedHex + stored + seedHex, seedHex + stored + seedHex + stored]
    .map(hashed)
    .flatMap((hash) => [hash.slice(0, 32), hash.slice(32)]);
  const expected = halves.reduce((sum, half) => sum ^ BigInt(`0x${half}`), 0n);
  expect(keyOfSeed(seed, keyId)).toBe(expected.toString(16).padStart(32, "0"));
});

// Of Microsoft's public test server, as tools of others have computed them.
test.each([
  ["8ba94ade6eb9449db44fa5beefaf43b0", "dbfd6922c321c4bb486f4a1c44097ed6"],
  ["339c45b5fb6d4bd9994ceabd9d41c95b", "a537cdc0ca65841406d525e7bf22d754"],
])("the public test seed gives %s a known key", (id, key) => {
  expect(keyOfSeed(seed, id)).toBe(key);
});

test("bytes behind the first 30 change nothing", () => {
  const longer = Buffer.concat([Buffer.from(seed, "base64"), Buffer.from("more")]).toString("base64");
  expect(keyOfSeed(longer, keyId)).toBe(keyOfSeed(seed, keyId));
});

test.each(["short", "AAAA", "", "?"])("%j is refused without being repeated", (text) => {
  expect(() => keyOfSeed(text, keyId)).toThrow("key_seed is not at least 30 bytes in base64");
});
