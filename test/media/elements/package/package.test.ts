import { describe, expect, test } from "vitest";
import type { PlanContext } from "../../../../media/elements/element.ts";
import { elementOf } from "../../../../media/elements/index.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { Asset, MediaFacts } from "../../../../shared/model/asset.ts";
import { TaskError } from "../../../../shared/model/failure.ts";

const element = elementOf("package");
if (!element) throw new Error("there is no package");

const common = { format: "mp4", size: 1, duration: ratio(5), others: [] };
const picture: MediaFacts = {
  ...common,
  video: [
    {
      index: 0,
      codec: "h264",
      timeBase: ratio(1, 25),
      width: 320,
      height: 180,
      frameRate: ratio(25),
      profile: "High",
      level: 30,
    },
  ],
  audio: [],
};
const sound: MediaFacts = {
  ...common,
  video: [],
  audio: [{ index: 0, codec: "aac", timeBase: ratio(1, 48_000), channels: 2, sampleRate: 48_000 }],
};
const asset = (version: string, facts: MediaFacts, layer?: Asset["layer"]): Asset => ({
  ...{ version, files: [{ uri: `file:///in/${version}.mp4`, facts }] },
  ...(layer && { layer }),
});
const film = [asset("high", picture), asset("eng", sound)];
const location = { path: "/out" };

const compiled = (payload: object, inputs: readonly Asset[] = film) => {
  const context: PlanContext<unknown> = {
    ...{ uid: "p", payload: element.payload.parse({ location, ...payload }), job: { id: 7, name: "Film" } },
    ...{ inputs, factsOf: () => undefined },
  };
  const plan = element.plan(context);
  if (!("tasks" in plan) || !plan.tasks[0]) throw new Error("nothing was planned");
  return element.compile(plan.tasks[0], context);
};

const problem = (payload: object, inputs: readonly Asset[] = film): string => {
  try {
    compiled(payload, inputs);
    return "no problem";
  } catch (error) {
    return error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error);
  }
};

const masterOf = (payload: object, inputs: readonly Asset[] = film) => {
  const place = compiled(payload, inputs).steps.at(-1);
  return place?.do === "place" ? place.master?.recipe : undefined;
};

test("one run of the packager makes the fragments of all that came in", () => {
  const { steps } = compiled({ file_pattern: "master" });
  expect(steps[0]).toEqual({
    ...{ do: "packager", id: "package", keys: [], inputs: { "in_0_0.mp4": "0_0", "in_1_0.mp4": "1_0" } },
    argv: [
      "in=in_0_0.mp4,stream=video,output=high.mp4,playlist_name=high.m3u8,skip_encryption=1",
      "in=in_1_0.mp4,stream=audio,output=eng.mp4,playlist_name=eng.m3u8,hls_group_id=audio,skip_encryption=1",
      ...["--hls_master_playlist_output=packager_0.m3u8", "--segment_duration=6", "--fragment_duration=6", "--quiet"],
    ],
  });
});

test("what a location says of its files goes with them, but a manifest's type not with media", () => {
  const manifest = { name: "ContentType", value: "application/x-mpegURL" };
  const cache = { name: "CacheControl", value: "max-age=60" };
  const media = { name: "ContentType", value: "video/mp4" };
  const objects = (payload: object) =>
    Object.fromEntries(
      Object.entries(compiled(payload).outputs).map(([id, { object }]) => [
        id,
        object?.attributes?.map(({ value }) => value),
      ]),
    );
  const base = { location: { ...location, attributes: [manifest, cache] }, file_pattern: "master" };
  expect(objects(base)).toEqual({
    ...{ "media_high.mp4": ["max-age=60"], "media_eng.mp4": ["max-age=60"] },
    ...Object.fromEntries(
      ["playlist_high.m3u8", "playlist_eng.m3u8", "hls"].map((id) => [id, [manifest.value, "max-age=60"]]),
    ),
  });
  const own = {
    media_location: { path: "/media", attributes: [media] },
    hls: { media_playlist_location: { path: "/lists" } },
  };
  expect(objects({ ...base, ...own })).toMatchObject({
    "media_high.mp4": ["video/mp4"],
    "playlist_high.m3u8": undefined,
  });
});

describe("the master playlist", () => {
  test("announces captions as the payload says; a default one is chosen without being asked for", () => {
    const closed_captions = [
      { cc_index: 1, language: "eng", is_default: true, is_autoselect: false },
      { cc_index: "5", language: "deu", is_autoselect: "false" },
    ];
    expect(masterOf({ closed_captions, file_pattern: "m" })?.captions).toEqual([
      { index: 1, language: "eng", isDefault: true, isChosen: true },
      { index: 5, language: "deu", isDefault: false, isChosen: false },
    ]);
  });

  test("has the version that its playlists need, or a higher one that the payload asks for", () => {
    const version = (payload: object) => masterOf({ ...payload, file_pattern: "m" })?.version;
    expect(version({ hls: { version: 3 } })).toBe(6);
    expect(version({ hls: { version: 7 } })).toBe(7);
    expect(version({ segmentation_mode: "single_ts" })).toBe(4);
    expect(version({ segmentation_mode: "segmented_ts" })).toBe(3);
  });

  test("leaves its name to itself: a rendition of the same name gets another playlist beside it", () => {
    const playlists = (payload: object) =>
      masterOf({ file_pattern: "high", ...payload })?.variants.map(({ playlist }) => playlist);
    expect(playlists({})).toEqual(["high_2.m3u8"]);
    expect(playlists({ hls: { media_playlist_location: { path: "/lists" } } })).toEqual(["high.m3u8"]);
  });

  test("begins with the layer that the payload calls primary, by its layer or its target", () => {
    const inputs = [asset("low", picture), asset("high", picture, { video: { id: "hd" } })];
    const first = (primary_layer_uid: string) =>
      masterOf({ hls: { primary_layer_uid }, file_pattern: "m" }, inputs)?.variants[0]?.playlist;
    expect([first("hd"), first("high"), first("low")]).toEqual(["high.m3u8", "high.m3u8", "low.m3u8"]);
  });
});

test("AES-128 draws a new key after twelve segments, and keeps one that is given", () => {
  const step = (encryption: object) =>
    compiled({ segmentation_mode: "segmented_ts", file_pattern: "m", encryption }).steps[2];
  const url = "{key_file}";
  const both = { do: "encrypt_segments", id: "encrypt_0", playlists: ["high.m3u8", "eng.m3u8"], url };
  expect(step({})).toEqual({ ...both, rotation: 12, keyFile: "segments_%05d.key" });
  expect(step({ rotation: 0 })).toEqual({ ...both, keyFile: "segments.key" });
  expect(step({ key: "00112233445566778899aabbccddeeff" })).toEqual({
    ...both,
    key: { secret: "encryption/key" },
    keyFile: "segments.key",
  });
});

test("a key may come from PlayReady's seed, which is named by its place", () => {
  const encryption = { schema: "mpeg-cenc", drm: "playready", key_id: "11".repeat(16), key_seed: "A".repeat(40) };
  const { steps } = compiled({ file_pattern: "m", encryption });
  expect(steps[0]).toMatchObject({
    keys: [{ label: "KEY", keyId: "11".repeat(16), seed: { secret: "encryption/key_seed" } }],
  });
  expect(JSON.stringify(steps)).not.toContain("AAAA");
  const both = compiled({ file_pattern: "m", encryption: { ...encryption, key: "22".repeat(16) } });
  expect(both.steps[0]).toMatchObject({ keys: [{ key: { secret: "encryption/key" } }] });
  expect(both.notes).toContain("p.payload.encryption.key_seed has no effect: p.payload.encryption.key is the key");
});

test("each layer may have a key of its own", () => {
  const layers = film.map((each, index) => ({ ...each, layer: { encryptionId: `k${index}` } }));
  const encryptions = [0, 1].map((n) => ({ id: `k${n}`, key: String(n).repeat(32) }));
  const { steps, outputs } = compiled({ segmentation_mode: "segmented_ts", file_pattern: "m", encryptions }, layers);
  expect(steps.filter((each) => each.do === "encrypt_segments").map((each) => [each.playlists, each.keyFile])).toEqual([
    [["high.m3u8"], "segments.key"],
    [["eng.m3u8"], "segments_1.key"],
  ]);
  expect(Object.keys(outputs).filter((id) => id.startsWith("key_"))).toEqual([
    "key_segments.key",
    "key_segments_1.key",
  ]);
});

test("sources are deleted where the payload asks for it", () => {
  const { after } = compiled({ file_pattern: "m", options: { delete_sources: "true" } });
  expect(after?.[0]?.files.map(({ uri }) => uri)).toEqual(["file:///in/high.mp4", "file:///in/eng.mp4"]);
});

test.each<[string, object, string]>([
  ["options.skip_validation", { options: { skip_validation: true } }, "what is made is always looked at"],
  ["options.auto_audio_layers", { options: { auto_audio_layers: "ungrouped" } }, "no language stands twice in a group"],
  ["smooth", { smooth: { file_pattern: "x" } }, "no Smooth Streaming is made"],
  ["hls.ietf_draft_version", { hls: { ietf_draft_version: 20 } }, "playlists follow RFC 8216"],
  ["hls.align_to_av_media", { hls: { align_to_av_media: true } }, "subtitles have segments of the same duration"],
  ["dash.compliance", { kind: "dash", dash: { compliance: "main" } }, "fmp4 makes the on-demand profile"],
  ["author", { author: "Studio" }, "HLS has no place for it"],
  ["dash", { dash: { file_pattern: "x" } }, "no DASH is made"],
  ["hls", { kind: "dash", hls: { version: 7 } }, "no HLS is made"],
  ["closed_captions", { kind: "dash", closed_captions: [{ cc_index: 1 }] }, "only HLS announces captions"],
  ["init_file_pattern", { init_file_pattern: "x" }, "only segmented_mp4 has files for initialisation"],
])("%s is said to have no effect", (field, payload, why) => {
  expect(compiled({ file_pattern: "m", ...payload }).notes).toEqual([
    expect.stringMatching(new RegExp(`^p.payload.${field} has no effect: .*${why}`)),
  ]);
});

const key = "00112233445566778899aabbccddeeff";
test.each<[string, object]>([
  [
    "definition: p.payload.segmentation_mode must be the same for hls and dash",
    {
      kind: ["hls", "dash"],
      ...{ hls: { segmentation_mode: "fmp4" }, dash: { segmentation_mode: "segmented_mp4" } },
    },
  ],
  [
    'definition: p.payload.media_file_extensions has "../x", which is not a file extension',
    { media_file_extensions: { video: "../x" } },
  ],
  [
    "definition: p.payload.encryption.rotation needs random keys",
    {
      ...{ segmentation_mode: "segmented_ts", encryption: { key, rotation: 3 } },
    },
  ],
  [
    "definition: p.payload.encryption.external_key_file needs key_location",
    {
      ...{ segmentation_mode: "segmented_ts", encryption: { external_key_file: true } },
    },
  ],
  [
    "capability: p.payload.hls.include_iframe_manifests: multiplexed",
    { segmentation_mode: "multiplexed_ts", hls: { include_iframe_manifests: true } },
  ],
  [
    'capability: p.payload.encryption.schema "sample-aes" needs media with one kind of stream each',
    {
      ...{ segmentation_mode: "multiplexed_ts", encryption: { schema: "sample-aes", key, key_id: key } },
    },
  ],
  [
    'capability: p.payload.encryption.schema "mpeg-cenc" needs segmentation_mode fmp4 or segmented_mp4',
    {
      ...{ segmentation_mode: "segmented_ts", encryption: { schema: "mpeg-cenc", key, key_id: key } },
    },
  ],
  [
    "definition: p.payload.encryption.key_seed needs a key id, which aes-128-cbc does not have",
    { segmentation_mode: "segmented_ts", encryption: { key_seed: "x" } },
  ],
  [
    "definition: p.payload.encryption.key_id is missing: key_seed needs one",
    { encryption: { schema: "mpeg-cenc", key_seed: "x" } },
  ],
  ["capability: p.payload.encryption.cpix_key is not implemented", { encryption: { cpix_key: { url: "x" } } }],
  [
    "capability: p.payload.force_original_media is implemented for segmentation_mode fmp4, not for segmented_ts",
    {
      ...{ force_original_media: true, segmentation_mode: "segmented_ts" },
    },
  ],
  [
    "definition: p.payload.force_original_media contradicts p.payload.encryption: the media stay as they are",
    {
      ...{ force_original_media: true, encryption: { schema: "mpeg-cenc", key, key_id: key } },
    },
  ],
  [
    "capability: p.payload.encryption.external_key_file is implemented for aes-128-cbc",
    { segmentation_mode: "single_ts", encryption: { schema: "sample-aes", external_key_file: true } },
  ],
  [
    "capability: p.payload.encryption.rotation is not implemented for keys in files",
    { segmentation_mode: "single_ts", encryption: { schema: "sample-aes", rotation: 2 } },
  ],
  [
    "two files of the package would both be m.m3u8",
    { segmentation_mode: "segmented_ts", encryption: { key, key_file_pattern: "m.m3u8" } },
  ],
])("%s", (message, payload) => {
  expect(problem({ file_pattern: "m", ...payload })).toContain(message);
});

test("subtitles that a source names beside its media are renditions, with a header where they lie in fragments", () => {
  const [high] = film;
  if (!high) throw new Error("there is no film");
  const uri = "file:///in/deu.vtt";
  const inputs = [{ ...high, sidecars: [{ uri, kind: "subtitle" as const, language: "ger" }] }];
  const dash = { kind: "dash", segmentation_mode: "segmented_mp4", dash: { subtitle_container: "mp4" } };
  const { steps, assets } = compiled({ ...dash, file_pattern: "m" }, inputs);
  expect(assets["1_0"]).toEqual({ uri });
  expect(steps[0]?.do === "packager" && steps[0].argv[1]).toBe(
    "in=in_1_0.vtt,stream=text,init_segment=deu_init.mp4,segment_template=deu_$Number%05d$.mp4,language=deu",
  );
});

test("a pattern for media says where and how segments are numbered", () => {
  const numbered = (segmentation_mode: string, media_file_pattern: string) => {
    const { steps } = compiled(
      { kind: "dash", segmentation_mode, media_file_pattern, file_pattern: "m" },
      film.slice(0, 1),
    );
    return steps[0]?.do === "packager"
      ? /(segment_template|output)=[^,]*/.exec(steps[0].argv[0] ?? "")?.[0]
      : undefined;
  };
  expect(numbered("segmented_mp4", "part-%03d.m4s")).toBe("segment_template=part-$Number%03d$.m4s");
  expect(numbered("segmented_mp4", "part_%05d")).toBe("segment_template=part_$Number%05d$.m4s");
  expect(numbered("segmented_mp4", "part")).toBe("segment_template=part_$Number%05d$.m4s");
  expect(numbered("fmp4", "part_%05d.mp4")).toBe("output=part.mp4");
});

test("an excerpt is refused: a package wraps whole files", () => {
  const [high] = film;
  if (!high) throw new Error("there is no film");
  expect(problem({ file_pattern: "m" }, [{ ...high, range: { from: ratio(1) } }])).toContain(
    "p takes whole files, and high.mp4 is cut",
  );
});
