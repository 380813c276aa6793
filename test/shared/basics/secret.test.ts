import { format, inspect } from "node:util";
import { expect, test } from "vitest";
import { z } from "zod";
import { createLog } from "../../../agent/log.ts";
import { dots, Secret, secretOf, toRevealedJson } from "../../../shared/basics/secret.ts";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { credential } from "../../../shared/credentials/credentials.ts";

const text = "the-text-of-the-secret";
const secret = new Secret(text);

test.each<[string, () => string]>([
  ["a template", () => `${secret}`],
  ["a sum", () => `a ${[secret].join("")}`],
  ["String", () => String(secret)],
  ["JSON", () => JSON.stringify({ deep: [{ secret }] })],
  ["inspect", () => inspect({ deep: [secret], map: new Map([["it", secret]]) }, { depth: 9, showHidden: true })],
  ["format", () => format("%s %o %O %j", secret, secret, secret, secret)],
  ["an error and its cause", () => inspect(new Error(`no ${secret}`, { cause: { secret } }))],
  [
    "a list of fields",
    () => JSON.stringify([Object.entries(secret), { ...secret }, Object.getOwnPropertyNames(secret)]),
  ],
  ["an address", () => new URL(`https://user:${secret}@host/`).href],
  ["a buffer", () => Buffer.from(secret as unknown as string).toString()],
  ["a copy for a thread", () => inspect(structuredClone({ secret }))],
])("%s of a secret does not show it", (_, print) => {
  expect(print()).not.toContain(text);
});

test("a log shows dots for a secret, as a field, in a text and in an error", () => {
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line), level: "debug", clock: systemClock });
  log.error(`with ${secret}`, { secret, deep: { credential: credential.parse({ kind: "http", password: text }) } });
  log.error("failed", { err: new Error(`with ${secret}`, { cause: secret }) });
  expect(lines.join("")).toContain(dots);
  expect(lines.join("")).not.toContain(text);
});

test("only reveal gives the text, and JSON that is sent to whom it is meant for", () => {
  expect(secret.reveal()).toBe(text);
  expect(toRevealedJson({ deep: [{ secret, dots }], more: 1 })).toBe(
    JSON.stringify({ deep: [{ secret: text, dots }], more: 1 }),
  );
});

test("a schema hides what passes it, and its errors do not say what was given", () => {
  const schema = secretOf(z.string().max(5));
  expect(schema.parse("short")).toEqual(new Secret("short"));
  expect(schema.parse("short")).not.toEqual(new Secret("other"));
  expect(JSON.stringify(schema.safeParse(text).error)).not.toContain(text);
});
