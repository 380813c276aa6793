import { z } from "zod";
import type { MediaFacts, VideoFacts } from "../../shared/model/asset.ts";
import { mainVideo } from "../formats/stream-timing.ts";
import { ffprobeArgv } from "./opening-args.ts";
import { probeArgv } from "./probe.ts";
import { hasCaptions, hdrOf, sideData, timecodesOf } from "./side-data.ts";

/** Codecs that carry timecode, captions or HDR data within the picture, where no container reports them. */
const telling = ["h264", "hevc", "mpeg2video", "av1"];

/** Reading so few packets costs almost nothing compared with opening a file. */
const firstFrames = (packets: number): string[] => ["-read_intervals", `%+#${packets}`, "-show_frames"];
/** Of all streams: sound often begins with some before the first picture. */
const packetsAtOnce = 8;
/** Of the video only. */
const packetsAlone = 2;

/**
 * ffprobe's command for the facts and the first frames of a file at once, because most of a probe's time is starting
 * ffprobe.
 */
export const probeWithFirstPacketsArgv = (path: string, isJoined = false): string[] =>
  probeArgv(path, isJoined, firstFrames(packetsAtOnce));

/** The same for the first frames of the main video only, for files that begin with something else too. */
export const firstPacketsArgv = (facts: MediaFacts, path: string, isJoined = false): string[] => {
  const stream = String(mainVideo(facts)?.index ?? 0);
  return ffprobeArgv(path, isJoined, ["-select_streams", stream, ...firstFrames(packetsAlone), "-of", "json"]);
};

const peeked = z.looseObject({
  frames: z
    .array(
      z.looseObject({
        stream_index: z.number().catch(-1),
        interlaced_frame: z.coerce.number().optional().catch(undefined),
        top_field_first: z.coerce.number().optional().catch(undefined),
        side_data_list: sideData,
      }),
    )
    .catch([]),
});

/**
 * Adds what the first frames show to the facts; undefined if the main video must be read alone: if no frame of it is
 * among them, or if it is MPEG-2, whose decoder reports a group's timecode with the next picture, and so needs two
 * packets.
 */
export const parseProbeWithFirstPackets = (facts: MediaFacts, json: string): MediaFacts | undefined => {
  const codec = mainVideo(facts)?.codec ?? "";
  if (!telling.includes(codec)) return facts;
  const frame = codec === "mpeg2video" ? undefined : mainFrame(facts, json);
  return frame && withFrame(facts, frame);
};

/** Adds what the first frames of the main video show to the facts. Text that is not ffprobe's changes nothing. */
export const withFirstPackets = (facts: MediaFacts, json: string): MediaFacts => {
  const frame = mainFrame(facts, json);
  return frame ? withFrame(facts, frame) : facts;
};

const mainFrame = (facts: MediaFacts, json: string): Frame | undefined =>
  peeked.safeParse(parsed(json)).data?.frames.find(({ stream_index: index }) => index === mainVideo(facts)?.index);

const withFrame = (facts: MediaFacts, frame: Frame): MediaFacts => {
  const main = mainVideo(facts);
  const list = frame.side_data_list;
  const timecodes = [...(facts.timecodes ?? []), ...timecodesOf(list)];
  const video = facts.video.map((each) => (each === main ? told(each, frame) : each));
  return { ...facts, video, ...(timecodes.length > 0 && { timecodes }) };
};

type Frame = NonNullable<z.output<typeof peeked>["frames"][number]>;

const told = (video: VideoFacts, frame: Frame): VideoFacts => {
  const hdr = hdrOf(frame.side_data_list);
  const isInterlaced = video.fieldOrder === undefined && frame.interlaced_frame === 1;
  return {
    ...video,
    ...(hdr && { hdr: { ...video.hdr, ...hdr } }),
    ...(hasCaptions(frame.side_data_list) && { hasCaptions: true }),
    ...(isInterlaced && { fieldOrder: frame.top_field_first === 1 ? "tt" : "bb" }),
  };
};

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // a file whose first frames cannot be read has no more data
  }
};
