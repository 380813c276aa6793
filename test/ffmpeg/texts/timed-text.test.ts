import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { forms } from "../../../media/subtitles/index.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpeg, ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const run = promisify(execFile);
const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Timed text is not tried: there is no ffmpeg or no ffprobe");

/** What ffmpeg's encoder of timed text takes for commands. */
const odd = "<sigh> 5 < 6 {b} {\\c} \\N end \\h &amp; a<b ♪♪";
const cues = [
  { from: 400, to: 1000, lines: [[{ text: odd }]] },
  {
    from: 1500,
    to: 2500,
    lines: [[{ text: "Two " }, { text: "slanted", italic: true as const }], [{ text: "Red", color: "#ff0000" }]],
  },
];

describe.skipIf(!hasTools)("timed text", { timeout: 60_000 }, () => {
  test.each(["mp4", "mov"])("of %s holds every letter, its looks and its times", async (kind) => {
    await using folder = scratchFolder();
    await make(
      join(folder.path, "in.mov"),
      ...["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=3", "-c:v", "mpeg4"],
    );
    const ttml = forms.ttml.print(cues, { language: "de" });
    writeFileSync(join(folder.path, "in.ttml"), ttml);
    const location = { path: folder.path };
    const contents = [{ kind: "subtitle", payload: { format: "auto", language: "de" } }];
    const components = [
      { kind: "name", name: "in.mov", location },
      { kind: "name", name: "in.ttml", location, contents },
    ];
    const source = { kind: "asset_complex", payload: { asset_versions: [{ asset_components: components }] } };
    const node = mediaNode(folder.path);
    const target = { file_pattern: `out.${kind}`, video: { codec: "h264" }, subtitle: [{}] };
    const payload = { location: { path: join(folder.path, "out") }, targets: [target] };
    const { paths } = await node.perform(await node.work(payload, await node.assets(source)));
    const [path = ""] = paths;
    const raw = (await ffmpeg(["-v", "error", "-i", path, "-map", "0:s", "-c", "copy", "-f", "data", "-"])).toString();
    expect(raw).toContain(odd);
    expect(raw).toContain("Two slanted\nRed");
    expect(raw.match(/styl/g)).toHaveLength(1);
    const ass = (await ffmpeg(["-v", "error", "-i", path, "-map", "0:s", "-f", "ass", "-"])).toString();
    expect(ass).toMatch(/0:00:01\.50,0:00:02\.50,.*Two .*\\i1.*slanted/);
    expect(ass).toMatch(/\\1?c&H(?:00)?0*FF&.*Red/i);
    const entries = "stream=codec_name,codec_tag_string:stream_tags=language";
    const argv = ["-v", "error", "-select_streams", "s", "-show_entries", entries, "-of", "csv=p=0", path];
    expect((await run(ffprobePath ?? "ffprobe", argv)).stdout.trim()).toMatch(/^mov_text,tx3g,(deu|ger)$/);
  });

  test.each([
    ["mp4", "ttml"],
    ["fmp4", "imsc1"],
  ])("of %s may be documents of %s, which hold the same", async (kind, format) => {
    await using folder = scratchFolder();
    await make(
      join(folder.path, "in.mov"),
      ...["-f", "lavfi", "-i", "testsrc2=size=160x90:rate=25:duration=24", "-c:v", "mpeg4"],
    );
    const long = { from: 8000, to: 12_000, lines: [[{ text: "Over two documents" }]] };
    writeFileSync(join(folder.path, "in.ttml"), forms.ttml.print([...cues, long], { language: "de" }));
    const location = { path: folder.path };
    const contents = [{ kind: "subtitle", payload: { format: "auto", language: "de" } }];
    const components = [
      { kind: "name", name: "in.mov", location },
      { kind: "name", name: "in.ttml", location, contents },
    ];
    const source = { kind: "asset_complex", payload: { asset_versions: [{ asset_components: components }] } };
    const node = mediaNode(folder.path);
    const target = { file_pattern: "out.mp4", container: { kind }, video: { codec: "h264" }, subtitle: [{ format }] };
    const payload = { location: { path: join(folder.path, "out") }, targets: [target] };
    const { paths } = await node.perform(await node.work(payload, await node.assets(source)));
    const [path = ""] = paths;
    const raw = (await ffmpeg(["-v", "error", "-i", path, "-map", "0:s", "-c", "copy", "-f", "data", "-"])).toString();
    const documents = raw
      .split("<?xml")
      .slice(1)
      .map((text) => forms.ttml.parse(`<?xml${text}`));
    const [first = [], second = []] = documents;
    expect(first.map(({ from, to }) => [from, to])).toEqual([
      [400, 1000],
      [1500, 2500],
      [8000, 10_000],
    ]);
    expect(first[0]?.lines).toEqual(cues[0]?.lines);
    expect(first[1]?.lines).toEqual(cues[1]?.lines);
    expect(second).toEqual([{ from: 10_000, to: 12_000, lines: long.lines }]);
    expect((await probe(path)).others).toMatchObject([
      { kind: "subtitle", codec: "ttml", language: expect.stringMatching(/^(deu|ger)$/) },
    ]);
  });

  test("captions of SCC are read by another decoder with their notes and italics", async () => {
    await using folder = scratchFolder();
    const path = join(folder.path, "in.scc");
    const lines = [[{ text: "♪♪ la " }, { text: "slanted", italic: true as const }]];
    writeFileSync(path, forms.scc.print([{ from: 2000, to: 4000, lines }], {}));
    const ass = (await ffmpeg(["-v", "error", "-i", path, "-f", "ass", "-"])).toString();
    expect(ass).toMatch(/♪ ?♪ la.*\\i1\}.*slanted/);
  });
});
