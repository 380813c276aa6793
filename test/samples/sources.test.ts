import { expect, test } from "vitest";
import { secondsOfTarget } from "./duration.ts";
import { masterFor, masters } from "./masters.ts";
import { hasSamples, readSample, type Sample, sampleNames } from "./samples.ts";
import { sourcesOf } from "./sources.ts";
import { sidecarText } from "./texts.ts";

const suffix = hasSamples ? "" : " (skipped: there are no samples here)";

const aSample = (payload: object, more: Sample["elements"] = []): Sample => ({
  ...{ name: "x", job: {} },
  elements: [{ uid: "s", kind: "source", payload: { ...payload } }, ...more],
});
const url = (uri: string, trim: object) => ({ kind: "asset_url", payload: { url: uri, trim } });

test("there are twelve masters at most", () => {
  expect(masters.length).toBeLessThanOrEqual(12);
});

test.skipIf(!hasSamples)(`every source of every sample has a master or a text${suffix}`, () => {
  const isKnown = (uri: string) => {
    const name = uri.split("/").at(-1) ?? "";
    return sidecarText(name) !== undefined || masterFor(name) !== undefined || name.endsWith(".ttf");
  };
  const lacking = sampleNames().flatMap((name) => sourcesOf(readSample(name)).filter(({ uri }) => !isKnown(uri)));
  expect(lacking).toEqual([]);
});

test("addresses come from urls, and from names with the location they stand in", () => {
  const location = { path: "s3://b/in/" };
  const components = [
    { kind: "name", name: "a.mov", location, trim: { outpoint_tc: "00:01:10:00" } },
    { name: "no.mov" },
  ];
  const payload = { kind: "asset_complex", payload: { asset_versions: [{ asset_components: components }] } };
  const made = {
    uid: "t",
    kind: "transcode",
    payload: { fonts: [{ url: "s3://b/x.ttf" }, { url: "s3://b/output/y.png" }] },
  };
  expect(sourcesOf(aSample(payload, [made]))).toEqual([
    { uri: "s3://b/in/a.mov", seconds: 70 },
    { uri: "s3://b/x.ttf", seconds: 0 },
  ]);
});

test("how long a target is follows from its source, its trims and its speed", async () => {
  const lengthOf = async () => 40;
  const seconds = (payload: object, target: object, element: object = {}) =>
    secondsOfTarget(aSample(payload), { element: { ...element }, target: { ...target } }, lengthOf);
  expect(await seconds(url("s3://b/a.mov", { inpoint_sec: 30, duration_sec: 5 }), {})).toBe(5);
  expect(
    await seconds(url("s3://b/a.mov", { inpoint_asset_tc: "01:00:10:00", outpoint_asset_tc: "01:00:30:00" }), {}),
  ).toBe(20);
  const speed = { container: { filters: [{ kind: "speed_change", payload: { factor: "8/(2*2)" } }] } };
  expect(await seconds(url("s3://b/a.mov", {}), speed, { source_pipeline: { trim: { outpoint_sec: 10 } } })).toBe(5);
  expect(
    await secondsOfTarget({ ...aSample({}), elements: [] }, { element: {}, target: {} }, lengthOf),
  ).toBeUndefined();
  const part = (name: string, trim: object) => ({ asset_components: [{ kind: "name", name, trim }] });
  const sequence = {
    kind: "asset_complex",
    payload: { asset_versions: [part("s3://b/a.mov", {}), part("s3://b/b.mov", { outpoint_frame: 48 })] },
  };
  expect(await seconds(sequence, { video: {} })).toBe(42);
  const side = (kind: string, trim: object) => ({
    kind: "name",
    name: `s3://b/${kind}.mov`,
    contents: [{ kind }],
    trim,
  });
  const end = { outpoint: "track_end", reference_media_track: "video" };
  const beside = (trim: object) => ({
    kind: "asset_complex",
    payload: { asset_versions: [{ asset_components: [side("video", { outpoint_sec: 4 }), side("audio", trim)] }] },
  });
  expect(await seconds(beside({ outpoint_sec: 8 }), { video: {}, audio: [] })).toBe(8);
  expect(await seconds(beside({ outpoint_sec: 8 }), { video: {} })).toBe(4);
  expect(await seconds(beside(end), { video: {}, audio: [] })).toBe(4);
});
