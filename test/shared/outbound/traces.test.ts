import { expect, test } from "vitest";
import { readConfig } from "../../../coordinator/config.ts";
import { isSampled, parseTraceParent, traceSettingsIn } from "../../../shared/outbound/traces.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };

test("without an address there are no traces, and the standard variables switch them off", () => {
  expect(traceSettingsIn({})).toBeUndefined();
  expect(traceSettingsIn({ OTEL_SERVICE_NAME: "x", OTEL_TRACES_SAMPLER: "always_on" })).toBeUndefined();
  expect(traceSettingsIn({ ...endpoint, OTEL_SDK_DISABLED: "true" })).toBeUndefined();
  expect(traceSettingsIn({ ...endpoint, OTEL_TRACES_EXPORTER: "none" })).toBeUndefined();
});

test("the standard variables say where and what is told", () => {
  expect(traceSettingsIn(endpoint)).toEqual({
    ...{ url: "http://collector:4318/v1/traces", headers: {}, service: "mediafarm", attributes: {} },
    ...{ sampler: "parentbased_always_on", ratio: 1 },
  });
  expect(
    traceSettingsIn({
      ...endpoint,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t.example/x",
      OTEL_EXPORTER_OTLP_HEADERS: "api-key=a%20key, x=1",
      OTEL_RESOURCE_ATTRIBUTES: "service.name=other,team=vfx",
      OTEL_TRACES_SAMPLER: "traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.25",
    }),
  ).toEqual({
    ...{ url: "https://t.example/x", headers: { "api-key": "a key", x: "1" }, service: "other" },
    ...{ attributes: { team: "vfx" }, sampler: "traceidratio", ratio: 0.25 },
  });
});

test("what cannot be used is refused with words, and none of them tells a header", () => {
  const choices = { dataDir: "/nowhere" };
  expect(readConfig(choices, endpoint).traces?.url).toBe("http://collector:4318/v1/traces");
  expect(readConfig(choices, {}).traces).toBeUndefined();
  expect(() => readConfig(choices, { ...endpoint, OTEL_TRACES_SAMPLER: "sometimes" })).toThrow("must be one of");
  expect(() => readConfig(choices, { ...endpoint, OTEL_TRACES_SAMPLER_ARG: "2" })).toThrow("traces.ratio");
  expect(() => readConfig(choices, { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toThrow("http/json");
  expect(() => readConfig(choices, { OTEL_EXPORTER_OTLP_ENDPOINT: "collector" })).toThrow("traces.url");
  const { traces } = readConfig(choices, { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: "key=s3cret" });
  expect(JSON.stringify(traces)).not.toContain("s3cret");
});

test("a traceparent is read as Trace Context says, and ignored where it is not valid", () => {
  const [trace, span] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"];
  expect(parseTraceParent(`00-${trace}-${span}-01`)).toEqual({ traceId: trace, spanId: span, isSampled: true });
  expect(parseTraceParent(`00-${trace}-${span}-02`)?.isSampled).toBe(false);
  expect(parseTraceParent(`01-${trace}-${span}-01-more`)?.traceId).toBe(trace);
  const wrong = [
    ...[undefined, null, "", "x", `ff-${trace}-${span}-01`, `00-${trace}-${span}-01-more`, `00-${trace}-${span}`],
    ...[`00-${"0".repeat(32)}-${span}-01`, `00-${trace}-${"0".repeat(16)}-01`, `00-${trace.toUpperCase()}-${span}-01`],
  ];
  for (const text of wrong) expect(parseTraceParent(text)).toBeUndefined();
});

test("samplers decide as OpenTelemetry says, and the same for everybody in a trace", () => {
  const low = "0af7651916cd43dd8400000000000001";
  const high = "0af7651916cd43dd84ffffffffffffff";
  const parent = (isSampled: boolean) => ({ traceId: low, spanId: "b7ad6b7169203331", isSampled });
  expect(isSampled({ sampler: "traceidratio", ratio: 0.5 }, low, undefined)).toBe(false);
  expect(isSampled({ sampler: "traceidratio", ratio: 0.5 }, high, parent(false))).toBe(true);
  expect(isSampled({ sampler: "traceidratio", ratio: 1 }, low, undefined)).toBe(true);
  expect(isSampled({ sampler: "traceidratio", ratio: 0 }, high, undefined)).toBe(false);
  expect(isSampled({ sampler: "parentbased_always_off", ratio: 1 }, low, parent(true))).toBe(true);
  expect(isSampled({ sampler: "parentbased_always_on", ratio: 1 }, low, parent(false))).toBe(false);
  expect(isSampled({ sampler: "parentbased_always_off", ratio: 1 }, low, undefined)).toBe(false);
  expect(isSampled({ sampler: "always_off", ratio: 1 }, low, parent(true))).toBe(false);
});
