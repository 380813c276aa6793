import { expect, test } from "vitest";
import { z } from "zod";
import { api } from "../../../shared/api/api.ts";
import type { Route } from "../../../shared/api/route.ts";
import { ui } from "../../../shared/api/ui/ui-api.ts";

/** Read by kind, with its own schemas, from a record that has few fields. */
const readElsewhere = /^changeCredential\.credential$/;

test("every list and record that a route takes has a bound: what is made of each entry costs as often", () => {
  const unbounded = Object.entries<Route>({ ...api, ...ui }).flatMap(([name, { input, readsItself }]) =>
    readsItself ? [] : unboundedIn(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }), name),
  );
  expect(unbounded.filter((path) => !readElsewhere.test(path))).toEqual([]);
});

/** Paths of lists without `maxItems`, and of records of any names without `maxProperties`. */
const unboundedIn = (schema: z.core.JSONSchema._JSONSchema, path: string): string[] => {
  if (typeof schema !== "object") return [];
  const { properties = {}, additionalProperties: others, propertyNames: names } = schema;
  const inner: [string, z.core.JSONSchema._JSONSchema | undefined][] = [
    ...Object.entries(properties).map(([name, each]): [string, typeof each] => [`${path}.${name}`, each]),
    ...[schema.anyOf ?? [], schema.oneOf ?? [], schema.allOf ?? []]
      .flat()
      .map((each): [string, typeof each] => [path, each]),
    [`${path}[]`, Array.isArray(schema.items) ? undefined : schema.items],
    [`${path}.<value>`, others],
  ];
  const isRecord =
    typeof others === "object" && Object.keys(others).length > 0 && !(typeof names === "object" && names.enum);
  const isEndless =
    (schema.type === "array" && schema.maxItems === undefined) || (isRecord && schema.maxProperties === undefined);
  return [
    ...(isEndless ? [path] : []),
    ...inner.flatMap(([at, each]) => (each === undefined ? [] : unboundedIn(each, at))),
  ];
};
