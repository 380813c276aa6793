import { expect, test } from "vitest";
import { withoutEffect } from "../../shared/elements/source/without-effect.ts";

test("options that change nothing are told about where they are set", () => {
  const options = { cache_ttl: "60", no_rewind: false, low_latency: "false", no_seek: true };
  const payload = { asset_versions: [{ asset_components: [{ options }, { name: "low_latency" }] }] };
  expect(withoutEffect(payload, "payload")).toEqual([
    "payload.asset_versions[0].asset_components[0].options.cache_ttl has no effect: files are read where they lie, no node keeps copies",
  ]);
  expect(withoutEffect({ source_pipeline: { accelerated_prores: true }, cache_ttl: 1 }, "payload")).toEqual([
    "payload.source_pipeline.accelerated_prores has no effect: the node decides how it decodes",
  ]);
});
