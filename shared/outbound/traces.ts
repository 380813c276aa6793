import { z } from "zod";
import { AppError } from "../basics/errors.ts";
import { secretOf } from "../basics/secret.ts";

/** Which traces are told, by the names of OpenTelemetry's specification; `parentbased`: as the caller decided. */
export const samplers = [
  ...(["parentbased_always_on", "parentbased_always_off", "parentbased_traceidratio"] as const),
  ...(["always_on", "always_off", "traceidratio"] as const),
] as const;
export type Sampler = (typeof samplers)[number];

const address = z.url({ protocol: /^https?$/, error: "must be an address of http or https" }).max(2000);
const headerName = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,200}$/);
/** What a header may hold: one line. */
const headerValue = secretOf(
  z
    .string()
    .max(8000)
    .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "must be one line of plain characters"),
);

/** Where traces go, and what is said of this farm in each. */
export const traceSettings = z.strictObject({
  url: address,
  headers: z.record(headerName, headerValue),
  service: z.string().min(1).max(255),
  attributes: z.record(z.string().min(1).max(255), z.string().max(1000)),
  sampler: z.enum(samplers, { error: `must be one of ${samplers.join(", ")}` }),
  ratio: z.number({ error: "must be a number from 0 to 1" }).min(0).max(1),
});
export type TraceSettings = z.output<typeof traceSettings>;

/** What an owner sets of them on a page. */
export const tracesChange = z.strictObject({
  /** The collector's whole address, such as `http://collector:4318/v1/traces`; null: no traces. */
  url: address.nullable(),
  /** Absent: those that are set stay, as long as the collector's scheme, host and port do. */
  headers: z
    .array(z.strictObject({ name: headerName, value: headerValue }))
    .max(20)
    .optional(),
  sampler: traceSettings.shape.sampler.default("parentbased_always_on"),
  ratio: traceSettings.shape.ratio.default(1),
});
export type TracesChange = z.output<typeof tracesChange>;

export const tracesSetBy = ["environment", "owner", "nobody"] as const;
/** Where traces go, without what may be secret. */
export const tracesView = z.strictObject({
  /** Who says where: the environment of `up`, which goes first, or an owner. */
  set_by: z.enum(tracesSetBy),
  /** The collector's scheme, host and port; null: there are no traces. */
  collector: z.string().nullable(),
  /** The names of the headers that are sent along. */
  headers: z.array(z.string()),
  sampler: z.enum(samplers),
  ratio: z.number(),
  /** Ended jobs that are not told yet. */
  waiting: z.number(),
  /** Why the last try failed; null if it did not. */
  failure: z.string().nullable(),
});
export type TracesView = z.output<typeof tracesView>;

type Environment = Readonly<Record<string, string | undefined>>;

/** What the standard variables of OpenTelemetry ask for, to be parsed; undefined: no traces. Throws for a protocol that is not spoken. */
export const traceSettingsIn = (env: Environment): z.input<typeof traceSettings> | undefined => {
  const url = addressIn(env);
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === "true" || env.OTEL_TRACES_EXPORTER === "none";
  if (url === undefined || isOff) return undefined;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL;
  if (protocol === "grpc") {
    const message =
      "OTEL_EXPORTER_OTLP_PROTOCOL is grpc, and traces are sent as http/json: name the collector's HTTP port";
    throw new AppError("VALIDATION_FAILED", message);
  }
  const { "service.name": named, ...attributes } = pairsIn(env.OTEL_RESOURCE_ATTRIBUTES);
  return {
    url,
    headers: pairsIn(env.OTEL_EXPORTER_OTLP_TRACES_HEADERS || env.OTEL_EXPORTER_OTLP_HEADERS),
    service: env.OTEL_SERVICE_NAME || named || "mediafarm",
    attributes,
    sampler: (env.OTEL_TRACES_SAMPLER || "parentbased_always_on") as Sampler, // parsed by the schema
    ratio: Number(env.OTEL_TRACES_SAMPLER_ARG || 1),
  };
};

/** The variable for traces is taken as it is; the one for all signals lacks the path. */
const addressIn = (env: Environment): string | undefined => {
  const all = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (all ? `${all.replace(/\/+$/, "")}/v1/traces` : undefined);
};

/** `a=1,b=two%20words` */
const pairsIn = (text = ""): Record<string, string> =>
  Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const at = pair.indexOf("=");
      return at < 1 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
    }),
  );

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** What a caller says of the trace that its request belongs to. */
export type TraceParent = { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean };

export const traceParentHeader = "traceparent";

/** By the W3C's Trace Context; undefined for what is not valid: the specification wants it ignored. */
export const parseTraceParent = (text: string | null | undefined): TraceParent | undefined => {
  const [, version, traceId = "", spanId = "", flags = "", more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.{0,400})?$/.exec(text ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
};

/** Whether a trace is told. Everybody who takes a part of the same traces takes the same ones. */
export const isSampled = (
  { sampler, ratio }: Pick<TraceSettings, "sampler" | "ratio">,
  traceId: string,
  parent: TraceParent | undefined,
): boolean => {
  if (parent && sampler.startsWith("parentbased_")) return parent.isSampled;
  if (sampler.endsWith("always_on")) return true;
  if (sampler.endsWith("always_off")) return false;
  // The last seven bytes are random, as Trace Context's second level says; a number holds 52 bits exactly.
  return Number.parseInt(traceId.slice(-13), 16) >= (1 - ratio) * 2 ** 52;
};
