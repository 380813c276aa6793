import { expect, test } from "vitest";
import type { PlanContext } from "../../../../media/elements/element.ts";
import { elementOf } from "../../../../media/elements/index.ts";
import { ratio } from "../../../../shared/basics/rational.ts";
import type { Asset, MediaFacts } from "../../../../shared/model/asset.ts";
import { TaskError } from "../../../../shared/model/failure.ts";

const element = elementOf("transcode");
if (!element) throw new Error("there is no transcode");

const times = { timeBase: ratio(1, 1000), start: ratio(0), duration: ratio(4) };
const facts: MediaFacts = {
  ...{ format: "matroska,webm", start: ratio(0), duration: ratio(4), size: 1000, others: [] },
  video: [{ ...times, index: 0, codec: "ffv1", width: 320, height: 180, pixelFormat: "yuv420p", frameRate: ratio(25) }],
  audio: [{ ...times, index: 1, codec: "flac", channels: 2, sampleRate: 48_000 }],
};
const inputs: Asset[] = [{ version: "src", files: [{ uri: "file:///in/film.mkv", facts }] }];
const key = "00112233445566778899aabbccddeeff";
const keyId = "11223344-5566-7788-99aa-bbccddeeff00";
const [video, audio] = [{ codec: "h264" }, [{ codec: "aac" }]];

const compiled = (target: object) => {
  const payload = { location: { path: "/out" }, targets: [{ file_pattern: "film{default_extension}", ...target }] };
  const context: PlanContext<unknown> = {
    ...{ uid: "tc", payload: element.payload.parse(payload), job: { id: 7, name: "j" } },
    ...{ inputs, factsOf: () => undefined },
  };
  const plan = element.plan(context);
  if (!("tasks" in plan) || "stage" in plan || !plan.tasks[0]) throw new Error("nothing was planned");
  const [task] = plan.tasks;
  const { steps, outputs } = element.compile(task, context);
  // A source of an unknown rate is paced before.
  const others = steps.slice(1).filter((step) => step.do !== "pace_transport");
  return { task, steps: others, outputs, warnings: plan.warnings ?? [] };
};
const problem = (target: object): string => {
  try {
    compiled(target);
    return "no problem";
  } catch (error) {
    return error instanceof TaskError ? `${error.failure.cause}: ${error.message}` : String(error);
  }
};
const hls = (encryption: object, more: object = {}) => ({
  ...{ container: { kind: "hls", segment_duration_sec: 1, encryption }, video, audio },
  ...more,
});
const mp4 = (encryption: object, more: object = { video }) => ({
  ...{ container: { kind: "mp4", encryption: { schema: "mpeg-cenc", key, key_id: keyId, ...encryption } } },
  ...more,
});

test("segments of HLS are encrypted after they are made, and their key lies beside them", () => {
  const { steps, outputs } = compiled(hls({ key, iv: key }));
  expect(steps).toEqual([
    {
      ...{ do: "encrypt_segments", id: "t0_encrypt", playlists: { out: "t0" } },
      ...{ key: { secret: "targets/0/container/encryption/key" }, iv: key, keyFile: "film.key", url: "{key_file}" },
    },
    { do: "place", id: "t0_place", moves: [{ from: "film.key", to: "t0_key" }], manifests: [] },
  ]);
  expect(outputs.t0_key).toEqual({
    ...{ version: "target_0_key", folder: "file:///out", name: "film.key", isSequence: false, existing: "replace" },
  });
});

test("drawn keys change after twelve segments, or as the job says, and lie where it says", () => {
  const [step] = compiled(hls({})).steps;
  expect(step).toMatchObject({ rotation: 12, keyFile: "film_%05d.key" });
  const own = { rotation: 0, key_location: { path: "/keys/of" }, key_file_pattern: "{source_basename}_k.key" };
  const { steps, outputs } = compiled(hls(own));
  expect(steps[0]).toMatchObject({ keyFile: "film_k.key", url: "../keys/of/{key_file}" });
  expect(steps[0]).not.toHaveProperty("rotation");
  expect(outputs.t0_key).toMatchObject({ folder: "file:///keys/of", name: "film_k.key" });
});

test("a key that exists is read from its file, and none is written", () => {
  const own = { external_key_file: true, key_location: { path: "/keys" }, key_file_pattern: "there.key" };
  const { steps, outputs } = compiled(hls(own));
  expect(steps.map((step) => step.do)).toEqual(["encrypt_segments"]);
  expect(steps[0]).toMatchObject({ key: { asset: "t0_key" }, url: "../keys/{key_file}" });
  expect(Object.keys(outputs)).toEqual(["t0"]);
});

test("MP4 is encrypted by the packager, whose keys are named by their place in the payload", () => {
  const { task, steps, warnings } = compiled(mp4({ drm: ["widevine", "playready"], widevine_provider: "w" }));
  expect(steps).toEqual([
    {
      ...{ do: "packager", id: "t0_encrypt", inputs: { "t0_clear.mp4": { out: "t0" } } },
      argv: [
        "in=t0_clear.mp4,stream=video,output=t0_encrypted.mp4,drm_label=KEY",
        ...["--segment_duration=6", "--fragment_duration=6", "--enable_raw_key_encryption"],
        ...["--protection_scheme=cenc", "--clear_lead=0", "--protection_systems=Widevine,PlayReady", "--quiet"],
      ],
      keys: [{ label: "KEY", keyId: keyId.replaceAll("-", ""), key: { secret: "targets/0/container/encryption/key" } }],
    },
    { do: "place", id: "t0_place", moves: [{ from: "t0_encrypted.mp4", to: "t0" }], manifests: [] },
  ]);
  expect(task.requires).toContain("packager");
  expect(JSON.stringify(task)).not.toContain(key);
  expect(warnings).toContain(
    "tc.payload.targets[0].container.encryption.widevine_provider has no effect: keys are not asked of a key server",
  );
});

test("the sound of a target of its own is encrypted as sound", () => {
  const { steps } = compiled(mp4({ schema: "mpeg-cbcs" }, { audio }));
  expect(steps[0]).toMatchObject({
    argv: expect.arrayContaining([expect.stringContaining("stream=audio"), "--protection_scheme=cbcs"]),
  });
});

test("encryption that is switched off leaves the target as it is", () => {
  for (const encryption of [{ enabled: false }, { schema: "none" }])
    expect(compiled(hls(encryption)).steps).toEqual([]);
});

const path = "tc.payload.targets[0].container.encryption";
test.each<[string, object]>([
  [
    `capability: ${path}.schema "sample-aes" is not implemented for container "hls": use aes-128-cbc, or a package`,
    hls({ schema: "sample-aes", key }),
  ],
  [
    `capability: ${path} is not implemented for container "mov": use hls, mp4 or fmp4, or a package`,
    { container: { kind: "mov", encryption: { schema: "mpeg-cenc" } }, video },
  ],
  [
    `capability: ${path} is not implemented for mp4 with several streams: make a target of each, or use a package`,
    mp4({}, { video, audio }),
  ],
  [
    `capability: ${path} is not implemented for container "webvtt": use hls, mp4 or fmp4, or a package`,
    { container: { kind: "webvtt", encryption: { schema: "mpeg-cenc" } }, subtitle: [{}] },
  ],
  [`capability: ${path}.schema "aes-128-cbc" needs transport stream segments`, mp4({ schema: "aes-128-cbc" })],
  [`definition: ${path}.key is missing: this farm asks no key server`, mp4({ key: "" })],
  [`definition: ${path}.rotation needs random keys, and ${path}.key names one`, hls({ key, rotation: 3 })],
  [`definition: ${path}.external_key_file needs key_location, where the key lies`, hls({ external_key_file: true })],
])("%s", (said, target) => {
  expect(problem(target)).toBe(said);
});

test("no manifest of the transcode names what is encrypted", () => {
  const payload = element.payload.parse({
    ...{ location: { path: "/out" }, manifests: [{ uid: "m", location: { path: "/out" } }] },
    targets: [{ ...hls({ key }), file_pattern: "x", manifest_uids: ["m"] }],
  });
  const context = { uid: "tc", payload, job: { id: 7, name: "j" }, inputs, factsOf: () => undefined };
  expect(() => element.plan(context)).toThrow(
    "tc.payload.targets[0].manifest_uids is not implemented for encrypted targets: use a package",
  );
});

test("two targets may not write one key", () => {
  const own = { key_file_pattern: "one.key", rotation: 0 };
  const targets = ["a", "b"].map((name) => ({ ...hls(own), file_pattern: `${name}.m3u8` }));
  const payload = element.payload.parse({ location: { path: "/out" }, targets });
  const context = { uid: "tc", payload, job: { id: 7, name: "j" }, inputs, factsOf: () => undefined };
  expect(() => element.plan(context)).toThrow("tc has two targets that write file:///out/one.key");
});
