import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { framesOf } from "./exactness/measure.ts";
import { plainFilm, withTwoEdits } from "./torture/two-edits.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const s = (num: number, den: number) => ({ num, den });

describe.skipIf(!hasTools)("an edit list", { timeout: 60_000 }, () => {
  test("is a fact of every track, as ffmpeg writes it: priming that is hidden, an empty edit before a late picture", async () => {
    await using folder = scratchFolder();
    const sine = ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2"];
    const [plain, late] = [join(folder.path, "a.mp4"), join(folder.path, "b.mov")];
    await plainFilm(plain, ...sine, "-c:a", "aac");
    const facts = await probe(plain);
    expect(facts.video[0]?.edits).toEqual([{ mediaTime: s(0, 1), duration: s(2, 1) }]);
    expect(facts.audio[0]?.edits).toEqual([{ mediaTime: s(8, 375), duration: s(2, 1) }]);
    await plainFilm(late, "-itsoffset", "0.48", ...sine, "-c:a", "pcm_s16le");
    const [nothing, sound] = (await probe(late)).audio[0]?.edits ?? [];
    expect([nothing, sound?.mediaTime]).toEqual([{ duration: s(12, 25) }, s(0, 1)]);
  });

  test("of two parts is what is seen, to the frame, whole and cut, and cannot be copied", async () => {
    await using folder = scratchFolder();
    const path = join(folder.path, "in.mp4");
    await plainFilm(path);
    const all = (await framesOf(path)).map(({ hash }) => hash);
    withTwoEdits(path);
    const shown = [...all.slice(5, 15), ...all.slice(30, 45)];
    expect((await probe(path)).video[0]?.frames).toBe(25);
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: path } });
    const made = async (target: object) => {
      const payload = { location: { path: folder.path }, targets: [{ existing_files: "replace", ...target }] };
      const { paths } = await node.perform(await node.work(payload, assets));
      return (await framesOf(paths[0] ?? "")).map(({ hash }) => hash);
    };
    const raw = { file_pattern: "out.nut", video: { codec: "raw" } };
    expect(await made(raw)).toEqual(shown);
    expect(await made({ ...raw, trim: { inpoint_frame: 8, outpoint_frame: 20 } })).toEqual(shown.slice(8, 20));
    await expect(made({ file_pattern: "out.mov", video: { codec: "copy" } })).rejects.toThrow(
      "video.codec copy cannot keep an edit list: the source's edit list shows 2 parts of it, which needs an encoder",
    );
  });
});
