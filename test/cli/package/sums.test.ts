import { spawnSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { writeSums } from "../../../cli/package/sums.ts";

const folder = mkdtempSync(join(tmpdir(), "mediafarm-sums-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "a.deb");
writeFileSync(file, "a package");

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));

const has = (program: string, word: string): boolean => spawnSync(program, [word]).status === 0;
const run = (program: string, ...words: string[]) => spawnSync(program, words, { cwd: folder }).status;

describe.skipIf(!has("sha256sum", "--version"))("sums (skipped without sha256sum)", () => {
  test("are checked by sha256sum, which finds a changed package", () => {
    expect(writeSums(folder, [file], undefined)).toEqual([join(folder, "SHA256SUMS")]);
    expect(run("sha256sum", "--check", "--strict", "SHA256SUMS")).toBe(0);
    writeFileSync(file, "another package");
    expect(run("sha256sum", "--check", "--strict", "SHA256SUMS")).toBe(1);
  });
});

describe.skipIf(!has("openssl", "version"))("signed sums (skipped without openssl)", () => {
  const words = ["pkeyutl", "-verify", "-pubin", "-inkey", "public.pem", "-rawin", "-in", "SHA256SUMS"];
  const verify = () => run("openssl", ...words, "-sigfile", "SHA256SUMS.sig");

  test("are verified by openssl, which finds changed sums", () => {
    writeFileSync(join(folder, "public.pem"), publicKey.export({ type: "spki", format: "pem" }));
    expect(writeSums(folder, [file], pem)).toEqual(["SHA256SUMS", "SHA256SUMS.sig"].map((name) => join(folder, name)));
    expect(verify()).toBe(0);
    writeFileSync(join(folder, "SHA256SUMS"), "other sums");
    expect(verify()).toBe(1);
  });

  test("need an Ed25519 key, and say so", () => {
    const { privateKey: other } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const wrong = String(other.export({ type: "pkcs8", format: "pem" }));
    expect(() => writeSums(folder, [file], wrong)).toThrow("MEDIAFARM_SIGNING_KEY is no Ed25519 key");
    expect(() => writeSums(folder, [file], "none")).toThrow("MEDIAFARM_SIGNING_KEY is no private key as PEM");
  });
});
