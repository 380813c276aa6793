import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { first } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { fastH264, ffmpeg, ffmpegPath, ffprobePath, probe, scratchFolder } from "../../helpers/media/media-tools.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined;
if (!hasTools) console.warn("Media tests are skipped: there is no ffmpeg or no ffprobe");

const film = (seconds: number, rate = 25) => [
  ...["-f", "lavfi", "-i", `testsrc2=size=320x180:rate=${rate}:duration=${seconds}`],
  ...["-f", "lavfi", "-i", `sine=frequency=440:sample_rate=48000:duration=${seconds}`],
];
const h264 = [...fastH264({ group: 25, between: 2 }), "-sc_threshold", "0"];
const quiet = ["-v", "error", "-y"];

const frames = async (path: string, ...more: string[]): Promise<string[]> => {
  const text = await ffmpeg(["-v", "error", "-i", path, "-map", "0:v", ...more, "-f", "framemd5", "-"]);
  const lines = text.toString().split("\n");
  return lines.filter((line) => line && !line.startsWith("#")).map((line) => line.split(",").at(-1)?.trim() ?? "");
};

const target = {
  file_pattern: "out.mov",
  video: { codec: "h264", preset: "ultrafast", crf: 0 },
  audio: [{ codec: "pcm" }],
};

const read = async (
  folder: string,
  manifest: string,
  more: object = {},
  options: object = { resolve_manifest: true },
) => {
  const node = mediaNode(folder);
  const assets = await node.assets({ kind: "asset_url", payload: { url: join(folder, manifest), options, ...more } });
  const work = await node.work({ location: { path: join(folder, "out") }, targets: [target] }, assets);
  const { paths } = await node.perform(work);
  const path = paths[0] ?? "";
  return { path, facts: await probe(path), assets };
};

describe.skipIf(!hasTools)("with real ffmpeg", { timeout: 60_000 }, () => {
  test("an HLS playlist is the film that was cut into it, frame by frame, whole or in part", async () => {
    await using folder = scratchFolder();
    const whole = join(folder.path, "whole.mp4");
    await ffmpeg([...quiet, ...film(4), ...h264, "-c:a", "aac", whole]);
    const segments = ["-f", "hls", "-hls_time", "1", "-hls_playlist_type", "vod"];
    await ffmpeg([...quiet, "-i", whole, "-c", "copy", ...segments, join(folder.path, "a.m3u8")]);
    const all = await frames(whole);
    expect(await frames((await read(folder.path, "a.m3u8")).path)).toEqual(all);
    const part = await read(folder.path, "a.m3u8", { trim: { inpoint_frame: 33, outpoint_frame: 60 } });
    expect(await frames(part.path)).toEqual(all.slice(33, 60));
  });

  test("a thousand segments, with names that no plain list could hold, are one film", async () => {
    await using folder = scratchFolder();
    const whole = join(folder.path, "whole.ts");
    await ffmpeg([...quiet, ...film(8), ...h264, "-c:a", "aac", whole]);
    const bytes = readFileSync(whole);
    const size = Math.ceil(bytes.length / 1000 / 188) * 188;
    const parts = join(folder.path, "a folder's | parts of a film that has a long, long name");
    mkdirSync(parts);
    const names = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => {
      writeFileSync(join(parts, `p${index}.ts`), bytes.subarray(index * size, (index + 1) * size));
      return `#EXTINF:1,\np${index}.ts`;
    });
    expect(names.length).toBeGreaterThan(900);
    writeFileSync(join(parts, "a.m3u8"), ["#EXTM3U", "#EXT-X-TARGETDURATION:1", ...names, "#EXT-X-ENDLIST"].join("\n"));
    const { path } = await read(parts, "a.m3u8", { trim: { inpoint_frame: 10, outpoint_frame: 190 } });
    expect(await frames(path)).toEqual((await frames(whole)).slice(10, 190));
  });

  test("a master playlist gives its best variant with its own sound; fragmented files lie in one file by bytes", async () => {
    await using folder = scratchFolder();
    const whole = join(folder.path, "whole.mp4");
    await ffmpeg([...quiet, ...film(3), ...h264, "-c:a", "aac", whole]);
    await ffmpeg([
      ...[...quiet, "-i", whole, "-map", "0:v", "-map", "0:v", "-map", "0:a", "-c:a", "copy"],
      ...["-c:v:0", "copy", "-c:v:1", "libx264", "-s:v:1", "160x90", "-b:v:1", "50k", "-g", "25"],
      ...[
        "-f",
        "hls",
        "-hls_time",
        "1",
        "-hls_playlist_type",
        "vod",
        "-hls_segment_type",
        "fmp4",
        "-hls_flags",
        "single_file",
      ],
      ...["-var_stream_map", "v:0,agroup:a v:1,agroup:a a:0,agroup:a,language:fr", "-master_pl_name", "master.m3u8"],
      join(folder.path, "v%v.m3u8"),
    ]);
    const { path, facts, assets } = await read(folder.path, "master.m3u8");
    expect(assets[0]?.manifest).toEqual({ isMaster: true, isComplex: true });
    expect(await frames(path)).toEqual(await frames(whole));
    expect(facts.audio.length).toBe(1);
    expect(Math.abs((facts.audio[0]?.duration?.num ?? 0) / (facts.audio[0]?.duration?.den ?? 1) - 3)).toBeLessThan(
      0.05,
    );
  });

  test("a pipeline may refuse what offers variants, or is more than one row of segments", async () => {
    await using folder = scratchFolder();
    await ffmpeg([...quiet, ...film(1), ...h264, "-c:a", "aac", join(folder.path, "a.ts")]);
    const plain = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n";
    writeFileSync(join(folder.path, "a.m3u8"), plain);
    writeFileSync(join(folder.path, "m.m3u8"), "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n");
    const node = mediaNode(folder.path);
    const work = async (manifest: string, manifest_decode_strategy: string) => {
      const url = join(folder.path, manifest);
      const assets = await node.assets({ kind: "asset_url", payload: { url, options: { resolve_manifest: true } } });
      const pipeline = { source_pipeline: { manifest_decode_strategy } };
      return node.work({ location: { path: folder.path }, targets: [target], ...pipeline }, assets);
    };
    for (const strategy of ["reject_master_playlist", "reject_complex"]) {
      await expect(work("m.m3u8", strategy)).rejects.toThrow("manifest_decode_strategy rejects the source");
      expect((await work("a.m3u8", strategy)).steps).toHaveLength(1);
    }
    expect((await work("m.m3u8", "simple")).steps).toHaveLength(1);
  });

  test("a DASH manifest is its best picture and its sound", async () => {
    await using folder = scratchFolder();
    const whole = join(folder.path, "whole.mp4");
    await ffmpeg([...quiet, ...film(3), ...h264, "-c:a", "aac", whole]);
    await ffmpeg([...quiet, "-i", whole, "-c", "copy", "-f", "dash", "-seg_duration", "1", join(folder.path, "a.mpd")]);
    const { path, facts } = await read(folder.path, "a.mpd");
    expect(await frames(path)).toEqual(await frames(whole));
    expect(facts.audio.length).toBe(1);
  });

  test("an IMF composition plays its resources by their edit units", async () => {
    await using folder = scratchFolder();
    mkdirSync(join(folder.path, "imf"));
    const at = (name: string) => join(folder.path, "imf", name);
    const mpeg = ["-c:v", "mpeg2video", "-g", "1", "-b:v", "5M", "-pix_fmt", "yuv420p"];
    await ffmpeg([...quiet, ...film(2), ...mpeg, "-map", "0:v", at("v.mxf")]);
    await ffmpeg([...quiet, ...film(2), "-map", "1:a", "-c:a", "pcm_s24le", "-f", "mxf_opatom", at("a.mxf")]);
    writeFileSync(at("ASSETMAP.xml"), assetMap("v", "a"));
    const image = (entry: number, length: number) =>
      resource(
        "v",
        `<EntryPoint>${entry}</EntryPoint><SourceDuration>${length}</SourceDuration>`,
        "<IntrinsicDuration>50</IntrinsicDuration>",
      );
    const sound = resource(
      "a",
      "<EditRate>48000 1</EditRate><SourceDuration>57600</SourceDuration>",
      "<IntrinsicDuration>96000</IntrinsicDuration>",
    );
    writeFileSync(
      at("CPL.xml"),
      composition(["MainImageSequence", image(10, 10) + image(30, 20)], ["MainAudioSequence", sound]),
    );
    const { path, facts } = await read(join(folder.path, "imf"), "CPL.xml");
    const all = await frames(at("v.mxf"));
    expect(await frames(path)).toEqual([...all.slice(10, 20), ...all.slice(30, 50)]);
    expect(facts.audio[0]?.duration).toEqual({ num: 6, den: 5 });
  });

  test.each(
    first([
      ["../outside.ts", "outside of the folders this node may use"],
      ["file:///etc/passwd", "outside of the folders this node may use"],
      ["http://localhost:1/a.ts", "on another storage"],
      ["subfile,,start,0,end,9,,:/etc/passwd", "no such file"],
      ["pipe:0", "on another storage"],
      ["link.ts", "outside of the folders this node may use"],
      ["missing.ts", "no such file"],
      ["text.ts", "is an SDP description"],
    ]),
  )("a playlist that names %s is refused", async (reference, message) => {
    await using folder = scratchFolder();
    const inside = join(folder.path, "inside");
    mkdirSync(inside);
    await ffmpeg([...quiet, ...film(1), ...h264, join(folder.path, "outside.ts")]);
    symlinkSync(join(folder.path, "outside.ts"), join(inside, "link.ts"));
    writeFileSync(join(inside, "text.ts"), "v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\n");
    writeFileSync(join(inside, "a.m3u8"), `#EXTM3U\n#EXTINF:1,\n${reference}\n#EXT-X-ENDLIST\n`);
    await expect(read(inside, "a.m3u8")).rejects.toThrow(message);
  });

  test("a manifest is read only where the job says so", async () => {
    await using folder = scratchFolder();
    writeFileSync(join(folder.path, "a.mp4"), "#EXTM3U\n#EXTINF:1,\n/etc/passwd\n#EXT-X-ENDLIST\n");
    await expect(read(folder.path, "a.mp4", {}, {})).rejects.toThrow(
      "is an HLS playlist, not media; set options.resolve",
    );
  });
});

const assetMap = (...ids: string[]) =>
  `<AssetMap><AssetList>${ids
    .map((id) => `<Asset><Id>urn:uuid:${id}</Id><ChunkList><Chunk><Path>${id}.mxf</Path></Chunk></ChunkList></Asset>`)
    .join("")}</AssetList></AssetMap>`;

const resource = (id: string, place: string, intrinsic: string) =>
  `<Resource>${intrinsic}${place}<TrackFileId>urn:uuid:${id}</TrackFileId></Resource>`;

const composition = (...sequences: [string, string][]) =>
  `<CompositionPlaylist><EditRate>25 1</EditRate><SegmentList><Segment><SequenceList>${sequences
    .map(([name, resources]) => `<${name}><ResourceList>${resources}</ResourceList></${name}>`)
    .join("")}</SequenceList></Segment></SegmentList></CompositionPlaylist>`;
