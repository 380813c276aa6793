import { expect, test } from "vitest";
import type { z } from "zod";
import { api } from "../../../shared/api/api.ts";
import { farmEvent } from "../../../shared/api/events.ts";
import type { Route } from "../../../shared/api/route.ts";
import { ui } from "../../../shared/api/ui/ui-api.ts";
import { agentMessage, coordinatorMessage } from "../../../shared/protocol/messages.ts";
import { toldSecrets } from "../../../shared/rights/told-secrets.ts";
import { textsIn } from "../../helpers/secrets/schema-texts.ts";

/** Names of fields that sound as if others should not read what they hold. */
const sounding = /pass|secret|token|auth|cred|sign|cookie|(?:^|_)keys?$|private|\bcode\b/i;

/** Everything that leaves the coordinator, and what nodes say to it, by a name for each field. */
const fields = (): string[] => {
  const routes: Readonly<Record<string, Route>> = { ...api, ...ui };
  const schemas: [string, z.core.$ZodType][] = [
    ...Object.entries(routes).map(([name, { returns }]): [string, z.core.$ZodType] => [name, returns]),
    ["event", farmEvent],
    ["to a node", coordinatorMessage],
    ["of a node", agentMessage],
  ];
  return schemas.flatMap(([name, schema]) => [
    ...new Set([...textsIn(schema)].map((path) => [name, ...path].join("."))),
  ]);
};

const soundsSecret = (name: string): boolean => sounding.test(name.split(".").findLast((part) => part !== "[]") ?? "");

test("every field of an answer, an event or a message that sounds secret has a row that says who gets it; a new one fails", () => {
  const secret = fields().filter(soundsSecret);
  const isIn = (row: string) => (name: string) => name === row || name.startsWith(`${row}.`);
  const rows = Object.keys(toldSecrets);
  expect(secret.filter((name) => !rows.some((row) => isIn(row)(name)))).toEqual([]);
  expect(rows.filter((row) => !fields().some(isIn(row)))).toEqual([]);
});
