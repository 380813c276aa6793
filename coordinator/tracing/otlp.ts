import type { TraceSettings } from "../../shared/outbound/traces.ts";
import type { Span } from "./spans.ts";

/** Who tells: the attributes of the resource. */
export type Resource = Pick<TraceSettings, "service" | "attributes"> & {
  readonly version: string;
  readonly host: string;
};

/** OTLP's internal kind of span, and the status of what failed. */
const internal = 1;
const failed = 2;

/** Pure: a span as it stands in a request. */
export const spanText = (span: Span): string => JSON.stringify(toSpan(span));

/** Pure: spans as a request of OTLP over HTTP, in its JSON form. */
export const otlpText = (spans: readonly string[], { service, attributes, version, host }: Resource): string => {
  const resource = {
    attributes: listOf({
      ...attributes,
      ...{ "service.name": service, "service.version": version, "host.name": host },
    }),
  };
  const scope = JSON.stringify({ name: "mediafarm", version });
  const ofScope = `{"scope":${scope},"spans":[${spans.join(",")}]}`;
  return `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[${ofScope}]}]}`;
};

const toSpan = ({ traceId, spanId, parentId, name, start, end, attributes, hasFailed }: Span) => ({
  ...{ traceId, spanId, ...(parentId !== undefined && { parentSpanId: parentId }) },
  ...{ name, kind: internal, startTimeUnixNano: nanoseconds(start), endTimeUnixNano: nanoseconds(end) },
  attributes: listOf(attributes),
  ...(hasFailed && { status: { code: failed } }),
});

/** Numbers of 64 bits are texts in this form. */
const nanoseconds = (ms: number): string => `${Math.floor(ms)}000000`;

const listOf = (attributes: Span["attributes"]) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: typedValue(value) }));

const typedValue = (value: string | number | boolean) => {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};
