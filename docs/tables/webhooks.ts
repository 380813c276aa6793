import { z } from "zod";
import { patience } from "../../coordinator/webhooks/tries.ts";
import { webhookData, webhookEvents } from "../../shared/outbound/webhooks.ts";
import { table } from "./table.ts";

/** The parts of `webhooks.md` that are made from the program. */
export const webhookParts: Readonly<Record<string, () => string>> = {
  events: () =>
    table(
      ["type", "`data` holds", "is sent when"],
      Object.entries(webhookEvents).map(([type, { shape, means }]) => [
        `\`${type}\``,
        Object.keys(webhookData[shape].shape)
          .map((field) => `\`${field}\``)
          .join(", "),
        means,
      ]),
    ),
  shapes: () =>
    table(
      ["in messages about", "field", "type", "holds"],
      Object.entries(webhookData).flatMap(([shape, schema]) =>
        fieldsOf(z.toJSONSchema(schema)).map(([field, type, holds]) => [shape, `\`${field}\``, type, holds]),
      ),
    ),
  tries: () => {
    const waits = patience.waits.map(spanOf);
    const last = waits.at(-1);
    return `**Tries.** A message that is not taken is tried again after ${waits.slice(0, -1).join(", ")}, and then every ${last}, each ${100 * patience.spread} % earlier or later by chance. After ${spanOf(patience.giveUpAfterMs)} it is given up.\n`;
  },
};

type Schema = z.core.JSONSchema.BaseSchema;

/** Fields by their paths; of lists, those of an element. */
const fieldsOf = (schema: Schema, at = ""): (readonly [field: string, type: string, holds: string])[] =>
  Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = property as Schema; // the library also allows true and false, which our schemas do not make
    const path = `${at}${name}`;
    const items = field.items as Schema | undefined;
    if (items?.properties) return fieldsOf(items, `${path}[].`);
    if (field.properties) return fieldsOf(field, `${path}.`);
    return [[path, typeOf(field), field.description ?? ""] as const];
  });

const typeOf = (schema: Schema): string => {
  if (schema.enum) return schema.enum.map((each) => `\`${each}\``).join(", ");
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each as Schema)).join(" or "); // as above
  if (schema.type === "array") return `list of ${typeOf((schema.items ?? {}) as Schema)}`; // as above
  return [schema.type ?? "anything"].flat().join(" or ");
};

const units = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
  [1000, "second"],
] as const;

const spanOf = (ms: number): string => {
  const [size, name] = units.find(([unit]) => ms % unit === 0) ?? [1, "millisecond"];
  return `${ms / size} ${name}${ms === size ? "" : "s"}`;
};
