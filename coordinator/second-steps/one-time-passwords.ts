import { createHmac, randomBytes } from "node:crypto";
import { Secret } from "../../shared/basics/secret.ts";

/** What all apps take: SHA-1, six digits, 30 seconds (RFC 6238). */
const stepMs = 30_000;
const digits = 6;
/** Steps that clocks may differ by. */
const tolerated = 1;

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648, without padding. */
export const toBase32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
};

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** 160 bits, as RFC 4226 recommends. */
export const newCodeSecret = (): Secret => new Secret(toBase32(randomBytes(20)));

/** The code of one step of 30 seconds (RFC 4226, 5.3). */
export const codeAt = (secret: Secret, step: number, length = digits): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac("sha1", fromBase32(secret.reveal())).update(counter).digest();
  const number = hash.readUInt32BE((hash.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 10 ** length).padStart(length, "0");
};

export const stepAt = (now: number): number => Math.floor(now / stepMs);

/** The step whose code was given, a later one than `last`; undefined for a wrong or used code. */
export const stepOfCode = (secret: Secret, given: Secret, last: number, now: number): number | undefined => {
  const typed = given.reveal().replaceAll(/\s/g, "");
  const steps = [-tolerated, 0, tolerated].map((shift) => stepAt(now) + shift);
  return steps.find((step) => step > last && codeAt(secret, step) === typed);
};

const recoveryCount = 10;

/** Ten codes of 80 random bits, in groups of four letters. */
export const newRecoveryCodes = (): Secret[] =>
  Array.from(
    { length: recoveryCount },
    () =>
      new Secret(
        toBase32(randomBytes(10))
          .toLowerCase()
          .replaceAll(/(.{4})(?=.)/g, "$1-"),
      ),
  );

/** One spelling of a recovery code: people leave out hyphens, and write capitals. */
export const plainRecovery = (code: Secret): string => code.reveal().toLowerCase().replaceAll(/[\s-]/g, "");
