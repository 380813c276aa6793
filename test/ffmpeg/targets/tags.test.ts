import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { matroskaTracks } from "../../helpers/media/matroska-tracks.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Tags are not tested: there is no ffmpeg or no ffprobe");

const folder = scratchFolder();
const node = mediaNode(folder.path);
const at = (...names: string[]) => join(folder.path, ...names);
afterAll(() => folder[Symbol.asyncDispose]());

const tagsIn = (path: string): Record<string, string> => {
  const words = ["-v", "error", "-show_entries", "format_tags", "-of", "json", path];
  const { format } = JSON.parse(execFileSync(ffprobePath ?? "", words, { encoding: "utf8" }));
  return Object.fromEntries(
    Object.entries<string>(format.tags ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
};

const quickTime = "title album date genre copyright";

describe.skipIf(!hasTools)("tags of a file", () => {
  test.each(
    first([
      ["x.mkv", "House-ID", { codec: "flac" }],
      ["x.flac", "House-ID", { codec: "flac" }],
      ["x.mp3", "House-ID", { codec: "mp3" }],
      [
        "x.m4a",
        `${quickTime} album_artist composer comment grouping lyrics description synopsis show`,
        { codec: "aac" },
      ],
      ["x.m4a", "episode_id network", { codec: "aac" }],
      ["x.mov", quickTime, { codec: "aac" }],
    ]),
  )("in %s are those that the job asks for (%#)", async (name, names, audio) => {
    await make(at("in.wav"), "-f", "lavfi", "-i", "sine=r=48000:d=1");
    const inputs = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url: at("in.wav") } });
    const tags = names.split(" ");
    const container = { author: "Studio", attributes: tags.map((tag) => ({ name: tag, value: `A ${tag}` })) };
    const target = { file_pattern: name, existing_files: "replace", container, audio: [audio] };
    await node.made("transcode", { location: { path: at("out") }, targets: [target] }, inputs);
    expect(tagsIn(at("out", name))).toMatchObject({
      artist: "Studio",
      ...Object.fromEntries(tags.map((tag) => [tag.toLowerCase(), `A ${tag}`])),
    });
  });

  test("of AIFF name the author", async () => {
    await make(at("in.wav"), "-f", "lavfi", "-i", "sine=r=48000:d=1");
    const inputs = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url: at("in.wav") } });
    const target = { file_pattern: "x.aiff", container: { author: "Studio" }, audio: [{ codec: "pcm" }] };
    await node.made("transcode", { location: { path: at("out") }, targets: [target] }, inputs);
    expect(tagsIn(at("out", "x.aiff"))).toMatchObject({ author: "Studio" });
  });
});

const aac = (disposition?: string) => ({ codec: "aac", ...(disposition && { disposition }) });
const copied = { codec: "copy" };

describe.skipIf(!hasTools)("flags of tracks in Matroska", { timeout: 60_000 }, () => {
  test.each([
    ["no default that nobody asked for", [aac(), aac()], [false, false], [false, false], [undefined, undefined]],
    [
      "the default that the job asks for",
      [aac(), aac("default")],
      [false, true],
      [false, false],
      [undefined, undefined],
    ],
    ["a commentary", [aac("original"), aac("comment")], [false, false], [false, true], [true, undefined]],
    ["a dub, which is no original", [aac(), aac("dub")], [false, false], [false, false], [undefined, false]],
    ["no default of the source", [copied, copied], [false, false], [false, false], [undefined, undefined]],
  ] as const)("say %s", async (_name, audio, isDefault, isCommentary, isOriginal) => {
    const [picture, sound] = ["testsrc2=size=160x90:rate=25:duration=0.4", "sine=duration=0.4"];
    // QuickTime enables every track, which ffmpeg reads as a default of each kind.
    await make(
      at("in.mov"),
      ...["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound, "-map", "0", "-map", "1", "-map", "1"],
      ...["-c:v", "mpeg4", "-c:a", "aac"],
    );
    const inputs = await node.assets({ kind: "asset_url", payload: { storage_provider: "file", url: at("in.mov") } });
    const video = { codec: audio.some(({ codec }) => codec === "copy") ? "copy" : "h264" };
    const target = { file_pattern: "flags.mkv", existing_files: "replace", video, audio };
    await node.made("transcode", { location: { path: at("out") }, targets: [target] }, inputs);
    const [shown, ...heard] = matroskaTracks(readFileSync(at("out", "flags.mkv")));
    expect(shown?.isDefault).toBe(false);
    expect(heard.map((track) => track.isDefault)).toEqual(isDefault);
    expect(heard.map((track) => track.isCommentary)).toEqual(isCommentary);
    expect(heard.map((track) => track.isOriginal)).toEqual(isOriginal);
  });
});
