import { type MediaFacts, mediaFacts } from "../../shared/model/asset.ts";

/**
 * The facts without what no message may carry and nobody can use, such as half a channel. Throws ZodError where that leaves
 * out something that facts need.
 */
export const sensibleFacts = (facts: MediaFacts): MediaFacts => {
  const misfits = mediaFacts.safeParse(facts).error?.issues ?? [];
  if (misfits.length === 0) return facts;
  const copy = structuredClone(facts);
  for (const { path } of misfits) remove(copy, path);
  return mediaFacts.parse(copy);
};

const remove = (value: unknown, path: readonly PropertyKey[]): void => {
  const [name, ...rest] = path;
  if (name === undefined || typeof value !== "object" || value === null) return;
  if (rest.length > 0)
    remove((value as Record<PropertyKey, unknown>)[name], rest); // an object has any field or none
  else if (!Array.isArray(value)) Reflect.deleteProperty(value, name);
};
