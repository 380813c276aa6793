import { describe, expect, test } from "vitest";
import { elementOf } from "../../../../media/elements/index.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";

const facts: MediaFacts = { format: "wav", size: 9, video: [], audio: [], others: [] };
const found = { size: 9, modified: 5, facts };

const plan = (payload: object, known = true) => {
  const source = elementOf("source");
  const parsed = source?.payload.parse({ kind: "asset_url", payload });
  const context = { uid: "src", payload: parsed, job: { id: 1, name: "j" }, inputs: [] };
  return source?.plan({ ...context, factsOf: () => (known ? found : undefined) });
};

const assetWith = (range: object | undefined) => ({
  tasks: [],
  assets: [{ version: "src", files: [{ uri: "file:///in/a.wav", size: 9, modified: 5, facts }], range }],
});

describe("a source", () => {
  test("asks for a probe first", () => {
    expect(plan({ url: "/in/a.wav" }, false)).toEqual({ need: [{ fact: "probe", uri: "file:///in/a.wav" }] });
  });

  test("that is no media by its name is not probed", () => {
    const document = { tasks: [], assets: [{ version: "src", files: [{ uri: "file:///in/a.srt" }] }] };
    expect(plan({ url: "/in/a.srt" }, false)).toEqual(document);
    for (const name of ["grade.CUBE", "reel.tar.gz", "cut.edl", "font.otf", "any.bin"])
      expect(plan({ url: `/in/${name}` }, false)).toMatchObject({
        assets: [{ files: [{ uri: `file:///in/${name}` }] }],
      });
    expect(plan({ url: "/in/a.xml", options: { resolve_manifest: true } }, false)).toMatchObject({
      need: [{ fact: "manifest" }],
    });
  });

  test("of several addresses takes subtitles as part of the file before them", () => {
    const source = elementOf("source");
    const asset_urls = ["/in/a.wav", "/in/a.vtt", "/in/b.wav"].map((url) => ({ url }));
    const payload = source?.payload.parse({ kind: "asset_urls", payload: { asset_urls } });
    const context = { uid: "src", payload, job: { id: 1, name: "j" }, inputs: [], factsOf: () => undefined };
    expect(source?.plan(context)).toEqual({
      need: ["a", "b"].map((name) => ({ fact: "probe", uri: `file:///in/${name}.wav` })),
    });
  });

  test("is an asset without tasks", () => {
    expect(plan({ storage_provider: "file", url: "/in/a.wav" })).toEqual(assetWith(undefined));
  });

  test("is cut by in and duration", () => {
    const range = { from: { num: 1, den: 2 }, to: { num: 5, den: 2 } };
    expect(plan({ url: "/in/a.wav", trim: { inpoint_sec: "0.5", duration_sec: 2 } })).toEqual(assetWith(range));
  });

  test("takes the outpoint where a duration contradicts it", () => {
    const range = { from: { num: 0, den: 1 }, to: { num: 3, den: 1 } };
    expect(plan({ url: "/in/a.wav", trim: { outpoint_sec: 3, duration_sec: 9 } })).toEqual(assetWith(range));
  });

  test("that ends before it begins is refused", () => {
    const trim = { inpoint_sec: 3, outpoint_sec: 2 };
    expect(() => plan({ url: "/in/a.wav", trim })).toThrow("src.payload.payload.trim ends before it begins");
  });

  test("that has no picture cannot be cut by timecode", () => {
    expect(() => plan({ url: "/in/a.wav", trim: { inpoint_tc: "00:00:01:00" } })).toThrow(
      "src.payload.payload.trim.inpoint_tc counts frames, and the source has no frame rate",
    );
  });

  test("cuts subtitles with the picture, and refuses another trim of theirs by name", () => {
    const cut = (trim: object | undefined) => {
      const subtitles = {
        kind: "name",
        name: "s.srt",
        location: { path: "/in" },
        contents: [{ kind: "subtitle" }],
        trim,
      };
      const film = {
        kind: "name",
        name: "a.wav",
        location: { path: "/in" },
        trim: { inpoint_sec: 1, outpoint_sec: 2 },
      };
      const source = elementOf("source");
      const payload = { kind: "asset_complex", payload: { asset_versions: [{ asset_components: [film, subtitles] }] } };
      const context = { uid: "src", payload: source?.payload.parse(payload), job: { id: 1, name: "j" }, inputs: [] };
      return source?.plan({ ...context, factsOf: () => found });
    };
    const assets = [{ sidecars: [{ kind: "subtitle" }] }];
    expect(cut({ inpoint_sec: 1, outpoint_sec: 2 })).toMatchObject({ assets });
    expect(cut(undefined)).toMatchObject({ assets });
    expect(() => cut({ inpoint_sec: 5 })).toThrow("asset_components[1].trim differs from that of the picture");
  });

  test("tells packagers of the layers and languages that its contents name", () => {
    const version = (content: object) => ({
      asset_components: [{ kind: "name", name: "a.wav", location: { path: "/in" }, contents: [content] }],
    });
    const asset_versions = [
      version({ kind: "video", layer_affinities: "stereo" }),
      version({ kind: "audio", layer_id: "stereo", payload: { language: "german" } }),
    ];
    const source = elementOf("source");
    const payload = source?.payload.parse({ kind: "asset_complex", payload: { kind: "multi", asset_versions } });
    const context = { uid: "src", payload, job: { id: 1, name: "j" }, inputs: [] };
    const sound = { index: 0, codec: "aac", timeBase: { num: 1, den: 48_000 }, channels: 2, sampleRate: 48_000 };
    expect(
      source?.plan({ ...context, factsOf: () => ({ ...found, facts: { ...facts, audio: [sound] } }) }),
    ).toMatchObject({
      assets: [
        { layer: { video: { affinities: ["stereo"] } } },
        { layer: { audio: [{ id: "stereo", language: "deu" }] } },
      ],
    });
  });

  test("takes a component's name that is an address already as it is", () => {
    const component = { kind: "name", name: "s3://bucket/in/a.mov", location: { path: "s3://bucket/in" } };
    const payload = { kind: "asset_complex", payload: { asset_versions: [{ asset_components: [component] }] } };
    const source = elementOf("source");
    const context = { uid: "src", payload: source?.payload.parse(payload), job: { id: 1, name: "j" }, inputs: [] };
    expect(source?.plan({ ...context, factsOf: () => undefined })).toEqual({
      need: [{ fact: "probe", uri: "s3://bucket/in/a.mov" }],
    });
  });
});
