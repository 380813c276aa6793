import { describe, expect, test } from "vitest";
import { usePlanning } from "../helpers/farm/planning.ts";

const { words } = usePlanning();

const h264 = { codec: "h264" };
const aTarget = (more: object = {}) => ({ file_pattern: "x.mp4", location: { path: "/out" }, video: h264, ...more });

/** What stands behind each `-name` of the command. */
const valuesOf = async (name: string, target: object): Promise<string[]> => {
  const all = await words(target);
  return all.flatMap((word, at) => (word === name ? [all[at + 1] ?? ""] : []));
};
const graphOf = async (target: object) => (await valuesOf("-filter_complex", target)).join();

describe("a container", () => {
  test("is made to be played while it is loaded, unless it shall not", async () => {
    expect(await valuesOf("-movflags", aTarget())).toEqual(["+faststart"]);
    expect(await valuesOf("-movflags", aTarget({ container: { kind: "mp4", faststart: false } }))).toEqual([]);
  });

  test("names its brand", async () => {
    expect(await valuesOf("-brand", aTarget({ container: { kind: "mp4", brand: "isom" } }))).toEqual(["isom"]);
  });

  test("carries title, author, copyright and address", async () => {
    const container = { kind: "mp4", title: "T", author: "A", copyright: "C", info_url: "http://i" };
    expect(await valuesOf("-metadata", aTarget({ container }))).toEqual([
      ...["title=T", "artist=A", "copyright=C", "info_url=http://i"],
    ]);
  });
});

describe("a picture", () => {
  test.each([
    [{}, "scale=w=720:h=406"],
    [{ force_source_dar: "4/3" }, "scale=w=720:h=540"],
    [{ force_source_par: "3:4" }, "scale=w=720:h=540"],
  ])("takes the shape that %j forces on its source", async (shape, scaled) => {
    expect(await graphOf(aTarget({ video: { ...h264, width: 720, height: 576, ...shape } }))).toContain(scaled);
  });

  test.each([
    [{ algorithm: "lanczos" }, 640, "lanczos"],
    [{ algorithm: "lanczos" }, 3840, "lanczos"],
    [{ algorithm: "lanczos", downscale_algorithm: "sinc" }, 640, "sinc"],
    [{ algorithm: "lanczos", downscale_algorithm: "sinc" }, 3840, "lanczos"],
    [{ algorithm: "lanczos", upscale_algorithm: "nearest_neighbor" }, 3840, "neighbor"],
    [{}, 640, "bicubic"],
  ])("is scaled by %j to a width of %i with %s", async (scaler, width, flags) => {
    expect(await graphOf(aTarget({ video: { ...h264, width, scaler } }))).toContain(`flags=${flags}`);
  });
});

describe("a sound track", () => {
  const wav = (audio: object) => ({ file_pattern: "x.wav", location: { path: "/out" }, audio: [audio] });

  test.each([
    [undefined, "pcm_s24le"],
    [8, "pcm_u8"],
    [16, "pcm_s16le"],
    [24, "pcm_s24le"],
    ["32", "pcm_s32le"],
    [64, "pcm_s64le"],
  ])("of %s bits is %s", async (sample_size, codec) => {
    expect(await valuesOf("-c:a:0", wav({ codec: "pcm", sample_size }))).toEqual([codec]);
  });

  test("keeps its rate, unless it is told another", async () => {
    expect(await graphOf(wav({ codec: "pcm" }))).not.toContain("sample_rates");
    expect(await graphOf(wav({ codec: "pcm", sample_rate: 48_000 }))).toContain("sample_rates=48000");
  });

  test("falls back to its default language", async () => {
    const track = { codec: "aac", language: "klingon of old", default_language: "English" };
    expect(await valuesOf("-metadata:s:a:0", aTarget({ audio: [track] }))).toEqual(["language=eng"]);
    expect(await valuesOf("-metadata:s:a:0", aTarget({ audio: [{ ...track, language: "fr" }] }))).toEqual([
      "language=fra",
    ]);
  });

  test("has its name", async () => {
    const mov = { file_pattern: "x.mov", audio: [{ codec: "pcm", track_name: "Music", language: "de" }] };
    expect(await valuesOf("-metadata:s:a:0", aTarget(mov))).toEqual([
      ...["language=ger", "title=Music", "handler_name=Music"],
    ]);
  });
});
