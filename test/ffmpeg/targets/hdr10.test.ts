import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { share } from "../../helpers/long.ts";
import { mediaNode } from "../../helpers/media/media-job.ts";
import { ffmpegPath, ffprobePath, make, probe, scratchFolder } from "../../helpers/media/media-tools.ts";
import { mediaInfoPath, secondReading } from "./pairs/look.ts";

const hasTools = ffmpegPath !== undefined && ffprobePath !== undefined && mediaInfoPath !== undefined;
if (!hasTools) console.warn("HDR10 is not read back: there is no ffmpeg, no ffprobe or no mediainfo");

const display = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)";
const light = {
  MaxCLL: "1000 cd/m2",
  MaxFALL: "400 cd/m2",
  MasteringDisplay_Luminance: "min: 0.0001 cd/m2, max: 1000 cd/m2",
};

/** Codec and container, and whether the file says what HDR10 says; else the result does. */
const all = [
  ...([
    ["h265", "mp4", true],
    ["h264", "mkv", true],
    ["av1", "mkv", true],
    ["prores", "mov", true],
    ["vp9", "mp4", true],
    ["jpeg2000", "mov", true],
  ] as const),
  ...([
    ["vp9", "webm", true],
    ["vp9", "mkv", true],
    ["prores", "mxf", true],
    ["jpeg2000", "mxf", true],
    ["vp9", "nut", false],
  ] as const),
];
const cases = share(all, ([codec]) => codec === "prores" || codec === "h264", 3);

describe.skipIf(!hasTools)("the metadata of HDR10", { timeout: 120_000 }, () => {
  test.each(cases)("of %s in %s are in the file, or told: %s", async (codec, kind, isHeld) => {
    await using folder = scratchFolder();
    const path = await make(
      join(folder.path, "in.mp4"),
      ...["-f", "lavfi", "-i", "testsrc2=size=256x144:rate=25:duration=0.2", "-pix_fmt", "yuv420p10le"],
      ...["-c:v", "libx265", "-preset", "ultrafast"],
      ...["-x265-params", `log-level=error:hdr10=1:master-display=${display}:max-cll=1000,400`],
      ...["-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc"],
    );
    const node = mediaNode(folder.path);
    const assets = await node.assets({ kind: "asset_url", payload: { url: `file://${path}` } });
    const target = { file_pattern: `x.${kind}`, container: { kind }, video: { codec } };
    const payload = { location: { path: join(folder.path, "out") }, targets: [target] };
    const { made, warnings } = await node.all("transcode", payload, assets);
    const said = await secondReading(made[0]?.paths[0] ?? "", "Video");
    // Of MXF, MediaInfo reads the display, and ffprobe the light.
    const names = kind === "mxf" ? (["MasteringDisplay_Luminance"] as const) : Object.keys(light);
    // Of Matroska, it leaves out the unit.
    const found = names.map((name) => [name, said?.[name]?.replace(/^(\d+)$/, "$1 cd/m2")]);
    expect(found).toEqual(names.map((name) => [name, isHeld ? Reflect.get(light, name) : undefined]));
    if (kind === "mxf")
      expect((await probe(made[0]?.paths[0] ?? "")).video[0]?.hdr).toMatchObject({ maxCll: 1000, maxFall: 400 });
    expect(warnings.filter((each) => /HDR10 are lost/.test(each))).toHaveLength(isHeld ? 0 : 1);
  });
});
