import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Cue } from "../../../media/subtitles/cue.ts";
import { forms, parseSubtitles } from "../../../media/subtitles/index.ts";
import type { FormName } from "../../../shared/work/subtitle-forms.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Texts of programmes are not tried: there is no ffmpeg or no ffprobe");

/** Two texts that are shown one and three seconds after this hour. */
const cuesFrom = (hours: number): Cue[] =>
  [1000, 3000].map((from) => ({
    from: hours * 3_600_000 + from,
    to: hours * 3_600_000 + from + 1000,
    lines: [[{ text: `Text ${from / 1000}` }]],
  }));

const written = (form: FormName, hours: number, more: { isDrop?: boolean; start?: string } = {}): string => {
  // Without drop-frame an hour of SCC's clock lasts longer.
  const stretch = form === "scc" && !more.isDrop ? 1.001 : 1;
  const cues = cuesFrom(hours).map((cue) => {
    const late = hours * 3_600_000 * (stretch - 1);
    return { ...cue, from: cue.from + late, to: cue.to + late };
  });
  const text = forms[form].print(cues, { isDrop: more.isDrop });
  return more.start ? text.slice(0, 256) + more.start + text.slice(264) : text;
};

type Case = readonly [name: string, form: FormName, text: string, timecode: string | undefined, told: string];

const cases: readonly Case[] = [
  ["tcp.stl", "stl", written("stl", 10, { start: "10000000" }), undefined, ""],
  ["none.stl", "stl", written("stl", 10), undefined, "none.stl counts from 10:00:00, a full hour before"],
  ["ndf.scc", "scc", written("scc", 1), undefined, "ndf.scc counts from 01:00:04, a full hour before"],
  ["df.scc", "scc", written("scc", 1, { isDrop: true }), undefined, "df.scc counts from 01:00:00, a full hour before"],
  ["hour.mcc", "mcc", written("mcc", 1), undefined, "hour.mcc counts from 01:00:0"],
  ["hour.ttml", "ttml", written("ttml", 10), undefined, "hour.ttml counts from 10:00:00"],
  ["clock.srt", "srt", written("srt", 10), "10:00:00:00", "clock.srt counts from 10:00:00, as the source's timecode"],
  ["late.vtt", "webvtt", written("webvtt", 10), "09:59:59:00", "late.vtt counts from 09:59:59, as the source's"],
  ["zero.srt", "srt", written("srt", 0), "10:00:00:00", ""],
];

const film = (folder: string, timecode: string | undefined) =>
  make(
    join(folder, `film${timecode ? 1 : 0}.mov`),
    ...["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=6", "-pix_fmt", "yuv420p", "-c:v", "mpeg4"],
    ...(timecode ? ["-timecode", timecode] : []),
  );

const beside = (folder: string, media: string, name: string) => {
  const contents = [{ kind: "subtitle", payload: { format: "auto", language: "en" } }];
  const location = { path: folder };
  const components = [
    { kind: "name", name: media, location },
    { kind: "name", name, location, contents },
  ];
  return { kind: "asset_complex", payload: { kind: "sequence", asset_versions: [{ asset_components: components }] } };
};

describe.skipIf(!hasTools)("texts that count from the start of their programme", { timeout: 120_000 }, () => {
  test("are shown where the programme shows them, and the result tells by what this is known", async () => {
    await using folder = scratchFolder();
    for (const [name, , text, timecode, told] of cases) {
      writeFileSync(join(folder.path, name), text, name.endsWith(".stl") ? "latin1" : "utf8");
      const media = (await film(folder.path, timecode)).split("/").at(-1) ?? "";
      const node = mediaNode(folder.path);
      const target = { file_pattern: `${name}.srt`, container: { kind: "srt" }, subtitle: [{}] };
      const work = await node.work(
        { location: { path: join(folder.path, "out") }, targets: [target] },
        await node.assets(beside(folder.path, media, name)),
      );
      const { paths, results } = await node.perform(work);
      const first = name.startsWith("late") ? 2000 : 1000;
      const [cue, second] = parseSubtitles(readFileSync(paths[0] ?? "", "utf8"));
      expect
        .soft([name, Math.abs((cue?.from ?? 0) - first) < 70, second?.lines])
        .toEqual([...[name, true, [[{ text: "Text 3" }]]]]);
      const words = Object.values(results).flatMap(({ kind, value }) => (kind === "told" ? [String(value)] : []));
      expect.soft([name, words.join("; ")]).toEqual([name, told === "" ? "" : expect.stringContaining(told)]);
    }
  });

  test("are never missing without a word", async () => {
    await using folder = scratchFolder();
    writeFileSync(join(folder.path, "late.srt"), "1\n00:00:30,000 --> 00:00:31,000\nToo late\n");
    await film(folder.path, undefined);
    const node = mediaNode(folder.path);
    const target = { file_pattern: "out.srt", container: { kind: "srt" }, subtitle: [{}] };
    const work = await node.work(
      { location: { path: join(folder.path, "out") }, targets: [target] },
      await node.assets(beside(folder.path, "film0.mov", "late.srt")),
    );
    const { results } = await node.perform(work);
    expect(Object.values(results)).toEqual([
      {
        kind: "told",
        value: [
          "late.srt: none of its 1 texts, from 00:00:30.000 to 00:00:31.000, is in the part that is converted, so the subtitles are empty",
        ],
      },
    ]);
  });
});
