import { z } from "zod";

/** A request of OTLP over HTTP in its JSON form, as the specification's protocol buffers map to it. Nothing else may be in it. */
const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d{1,19}$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z.array(z.strictObject({ key: z.string().min(1), value }));
const nanoseconds = z.string().regex(/^[1-9]\d{0,18}$/);
const span = z
  .strictObject({
    traceId: z.string().regex(/^(?!0+$)[0-9a-f]{32}$/),
    spanId: z.string().regex(/^(?!0+$)[0-9a-f]{16}$/),
    parentSpanId: z
      .string()
      .regex(/^(?!0+$)[0-9a-f]{16}$/)
      .optional(),
    name: z.string().min(1),
    kind: z.number().int().min(1).max(5),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes,
    status: z.strictObject({ code: z.union([z.literal(1), z.literal(2)]), message: z.string().optional() }).optional(),
  })
  .refine(({ startTimeUnixNano: from, endTimeUnixNano: to }) => BigInt(from) <= BigInt(to), "ends before it starts");
const scope = z.strictObject({ name: z.string(), version: z.string() });
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(z.strictObject({ scope, spans: z.array(span) })),
    }),
  ),
});

const plain = (list: z.output<typeof attributes>): Record<string, unknown> =>
  Object.fromEntries(list.map(({ key, value: each }) => [key, Object.values(each)[0]]));

/** The resource and the spans of a request. Throws for what is none. */
export const readOtlp = (body: string) => {
  const [first, ...others] = request.parse(JSON.parse(body)).resourceSpans;
  if (!first || others.length > 0) throw new Error("not one resource");
  return {
    resource: plain(first.resource.attributes),
    spans: first.scopeSpans.flatMap(({ spans }) =>
      spans.map((each) => ({ ...each, attributes: plain(each.attributes) })),
    ),
  };
};
