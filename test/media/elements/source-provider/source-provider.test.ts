import { describe, expect, test } from "vitest";
import { elementOf } from "../../../../media/elements/index.ts";
import type { Asset, MediaFacts } from "../../../../shared/model/asset.ts";

const facts: MediaFacts = { format: "wav", size: 9, video: [], audio: [], others: [] };
const earlier: Asset = { version: "src", files: [{ uri: "file:///in/old.wav" }] };

const plan = (isKnown: boolean) => {
  const element = elementOf("source_provider");
  const payload = element?.payload.parse({ kind: "asset_url", payload: { url: "/in/new.wav" } });
  const context = { uid: "next", payload, job: { id: 1, name: "j" }, inputs: [earlier] };
  return element?.plan({ ...context, factsOf: () => (isKnown ? { size: 9, modified: 5, facts } : undefined) });
};

describe("a source provider", () => {
  test("probes what it names, whatever came before", () => {
    expect(plan(false)).toEqual({ need: [{ fact: "probe", uri: "file:///in/new.wav" }] });
  });

  test("passes on what it names and nothing of what came before", () => {
    const files = [{ uri: "file:///in/new.wav", size: 9, modified: 5, facts }];
    expect(plan(true)).toEqual({ tasks: [], assets: [{ version: "next", files, range: undefined }] });
  });

  test("without a url is refused when the job is submitted", () => {
    const result = elementOf("source_provider")?.payload.safeParse({ kind: "asset_url", payload: {} });
    expect(result?.error?.issues[0]?.path).toEqual(["payload", "url"]);
  });
});
