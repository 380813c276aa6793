import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
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
