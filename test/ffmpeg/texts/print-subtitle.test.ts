import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { lumaOf } from "../../helpers/media/filtered.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const [width, height] = [320, 180];
const texts = {
  srt: "1\n00:00:01,000 --> 00:00:02,000\nHello\n",
  vtt: "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n",
  ass: [
    "[Script Info]",
    "[V4+ Styles]",
    "Format: Name, Fontname, Fontsize, PrimaryColour",
    "Style: Default,DejaVu Sans,20,&H00FFFFFF",
    "[Events]",
    "Format: Layer, Start, End, Style, Text",
    "Dialogue: 0,0:00:01.00,0:00:02.00,Default,Hello",
  ].join("\n"),
  ttml: '<tt><body><div><p begin="1s" end="2s">Hello</p></div></body></tt>',
  scc: "Scenarist_SCC V1.0\n\n00:00:00:20\t94ae 94ae 9420 9420 9470 9470 c8e5 ecec ef80 942f 942f\n\n00:00:02:00\t942c 942c\n",
};

type Form = keyof typeof texts;

const source = async (folder: string, form: Form) => {
  const black = `color=black:size=${width}x${height}:rate=10:duration=3`;
  await make(join(folder, "in.mkv"), "-f", "lavfi", "-i", black, "-pix_fmt", "yuv420p", "-c:v", "ffv1");
  writeFileSync(join(folder, `texts.${form}`), texts[form]);
  const contents = [{ kind: "subtitle", payload: { format: form === "vtt" ? "webvtt" : form, language: "eng" } }];
  const components = [
    { kind: "name", name: "in.mkv", location: { path: folder } },
    { kind: "name", name: `texts.${form}`, location: { path: folder }, contents },
  ];
  return { kind: "asset_complex", payload: { kind: "sequence", asset_versions: [{ asset_components: components }] } };
};

/** How bright the brightest pixel of each frame is, and the rows on which there is any, of the frame in the middle. */
const drawn = async (folder: string, form: Form, payload: object, trim?: object) =>
  drawnOn(folder, await source(folder, form), payload, trim);

const drawnOn = async (folder: string, of: object, payload: object, trim?: object) => {
  const node = mediaNode(folder);
  const assets = await node.assets(of);
  const video = { codec: "raw", filters: [{ kind: "print_subtitle", payload }] };
  const target = { file_pattern: "out.nut", existing_files: "replace", video, ...(trim && { trim }) };
  const { paths } = await node.perform(
    await node.work({ location: { path: join(folder, "out") }, targets: [target] }, assets),
  );
  const planes = await lumaOf(paths[0] ?? "", width, height);
  const shown = planes.map(({ data }) => data.some((value) => value > 100));
  const middle = planes[shown.indexOf(true)]?.data ?? new Uint8Array();
  const rows = Array.from({ length: height }, (_, row) => row).filter((row) =>
    middle.subarray(row * width, (row + 1) * width).some((value) => value > 100),
  );
  return { first: shown.indexOf(true), last: shown.lastIndexOf(true), rows, middle };
};

describe.skipIf(!hasTools)("print_subtitle", { timeout: 60_000 }, () => {
  test.each(first(["srt", "vtt", "ass", "ttml", "scc"] as const))(
    "draws each text for its time, from %s",
    async (form) => {
      await using folder = scratchFolder();
      const { first, last, rows } = await drawn(folder.path, form, { language: "en" });
      expect([first, last, (rows[0] ?? 0) > height / 2]).toEqual([10, 19, true]);
    },
  );

  test("draws captions as white letters on black, and what TTML says of colour and place", async () => {
    await using folder = scratchFolder();
    const captions = await drawn(folder.path, "scc", { imprint_style: "closed_caption" });
    expect([captions.first, captions.last]).toEqual([10, 19]);
    const attributes = [
      { name: "tts:color", value: "white" },
      { name: "tts:displayAlign", value: "before" },
      { name: "tts:fontSize", value: "200%" },
    ];
    const plain = await drawn(folder.path, "ttml", {});
    const styled = await drawn(folder.path, "ttml", { imprint_style: "ttml", attributes });
    expect(styled.rows[0]).toBeLessThan(height / 3);
    expect(styled.rows.length).toBeGreaterThan(plain.rows.length * 1.5);
  });

  test.each(
    first([
      ["later by an offset", { time_offset_sec: 0.5 }, undefined, 15, 24],
      ["sooner by an offset", { time_offset_sec: -0.5 }, undefined, 5, 14],
      ["where a part of the source is taken", {}, { inpoint_sec: 0.5, outpoint_sec: 3 }, 5, 14],
    ]),
  )("%s", async (_name, payload, trim, from, to) => {
    await using folder = scratchFolder();
    const { first, last } = await drawn(folder.path, "srt", payload, trim);
    expect([first, last]).toEqual([from, to]);
  });

  test.each(
    first([
      ["srt in mkv", "srt", ["-c:s", "copy"], "held.mkv"],
      ["ass in mkv", "ass", ["-c:s", "copy"], "held.mkv"],
      ["timed text in mp4", "srt", ["-c:s", "mov_text"], "held.mp4"],
    ] as const),
  )("draws a track of the source: %s", async (_name, form, codec, name) => {
    await using folder = scratchFolder();
    const { path } = folder;
    await source(path, form);
    const inputs = ["-i", join(path, "in.mkv"), "-i", join(path, `texts.${form}`), "-map", "0:v", "-map", "1:s"];
    const language = ["-metadata:s:s:0", "language=ger"];
    await make(join(path, name), ...inputs, "-c:v", "mpeg4", "-q:v", "2", "-g", "5", ...codec, ...language);
    const held = { kind: "asset_url", payload: { url: `file://${join(path, name)}` } };
    const whole = await drawnOn(path, held, { language: "de", is_optional: true });
    expect([whole.first, whole.last, (whole.rows[0] ?? 0) > height / 2]).toEqual([10, 19, true]);
    const part = await drawnOn(path, held, { time_offset_sec: 0.2 }, { inpoint_sec: 0.5, outpoint_sec: 3 });
    expect([part.first, part.last]).toEqual([7, 16]);
    expect((await drawnOn(path, held, { language: "fr", is_optional: true })).first).toBe(-1);
  });

  test("draws the captions in the source's picture", async () => {
    await using folder = scratchFolder();
    const { path } = folder;
    const node = mediaNode(path);
    const captioned = await source(path, "scc");
    const json = JSON.stringify(captioned).replace('"kind":"subtitle"', '"kind":"closed_caption"');
    const video = { codec: "h264", frame_rate: "30", closed_captions: { enable_cea608: true } };
    const target = { file_pattern: "held.mp4", video };
    const assets = await node.assets(JSON.parse(json));
    const { paths } = await node.perform(
      await node.work({ location: { path: join(path, "out") }, targets: [target] }, assets),
    );
    const held = { kind: "asset_url", payload: { url: `file://${paths[0]}` } };
    const { first, last } = await drawnOn(path, held, { is_optional: true });
    expect([Math.abs(first - 30) <= 4, Math.abs(last - 59) <= 4, first, last]).toEqual([true, true, first, last]);
  });

  test("never lets go what the source has and nothing here draws", async () => {
    await using folder = scratchFolder();
    const { path } = folder;
    const picture = ["-f", "lavfi", "-i", "color=black:size=320x180:rate=10:duration=1"];
    const text = join(path, "texts.srt");
    writeFileSync(text, texts.srt.replace("00:00:01", "00:00:00"));
    // A picture of texts without pictures: nothing here makes dvbsub of text.
    await make(
      join(path, "held.mkv"),
      ...picture,
      "-i",
      text,
      "-map",
      "0:v",
      "-map",
      "1:s",
      "-c:s",
      "srt",
      "-c:v",
      "ffv1",
    );
    const bytes = readFileSync(join(path, "held.mkv"));
    const renamed = Buffer.from(bytes.toString("latin1").replace("S_TEXT/UTF8", "S_DVBSUB\0\0\0"), "latin1");
    writeFileSync(join(path, "held.mkv"), renamed);
    const held = { kind: "asset_url", payload: { url: `file://${join(path, "held.mkv")}` } };
    await expect(drawnOn(path, held, { is_optional: true })).rejects.toThrow(
      "the source has subtitles as dvb_subtitle; they are not drawn here yet",
    );
  });

  test("places and sizes the text", async () => {
    await using folder = scratchFolder();
    const plain = await drawn(folder.path, "srt", {});
    const raised = await drawn(folder.path, "srt", { y_offset: "50%" });
    const large = await drawn(folder.path, "srt", { font_size: "200%" });
    const lowest = ({ rows }: { rows: readonly number[] }) => rows.at(-1) ?? 0;
    expect(Math.abs(lowest(plain) - lowest(raised) - height * (0.5 - 10 / 288))).toBeLessThan(4);
    expect(large.rows.length / plain.rows.length).toBeGreaterThan(1.6);
    const boxed = await drawn(folder.path, "srt", { background_color: "#ffffff" });
    expect(boxed.middle.filter((value) => value > 200).length).toBeGreaterThan(
      3 * plain.middle.filter((value) => value > 200).length,
    );
  });

  test("is refused by name where nothing fits or nothing reads the form, and let go where it is optional", async () => {
    await using folder = scratchFolder();
    const at = "transcode.payload.targets[0].video.filters[0].payload";
    const refused = (form: Form, payload: object, words: string) =>
      expect(drawn(folder.path, form, payload)).rejects.toThrow(`${at}${words}`);
    await refused("srt", { language: "fr" }, ": the source has no subtitles that fit");
    const attributes = [{ name: "tts:ruby", value: "base" }];
    await refused("srt", { imprint_style: "ttml", attributes }, ".attributes[0]: tts:ruby is not implemented");
    await refused("srt", { attributes: [{ name: "tts:color", value: "?" }] }, '.attributes: tts:color "?" cannot be');
    await refused("srt", { option_string: "fontsdir=/etc" }, ".option_string: only force_style=");
    expect((await drawn(folder.path, "srt", { language: "fr", is_optional: true })).first).toBe(-1);
  });
});
