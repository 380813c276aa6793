import type { FactRequest, FoundFacts } from "../../../media/elements/element.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { Asset, AudioFacts, MediaFacts, VideoFacts } from "../../../shared/model/asset.ts";
import type { FrameListing, FrameQuestion } from "../../../shared/work/frame-listing.ts";
import type { World } from "./outcome.ts";

const track = (index: number, codec: string) => {
  return { index, codec, timeBase: ratio(1, 12_800), start: ratio(0), duration: ratio(60) };
};

const picture: VideoFacts = {
  ...{ ...track(0, "h264"), width: 1920, height: 1080, pixelFormat: "yuv420p", frameRate: ratio(25) },
  ...{ averageFrameRate: ratio(25), frames: 1500, pixelAspect: ratio(1), fieldOrder: "progressive" },
  ...{ profile: "High", level: 40, colorRange: "tv" },
};

const sound = (index: number, more: Partial<AudioFacts>): AudioFacts => ({
  ...{ ...track(index, "aac"), channels: 2, layout: "stereo", sampleRate: 48_000, language: "eng", ...more },
});

const subtitles: MediaFacts["others"][number] = { ...track(4, "subrip"), kind: "subtitle", language: "eng" };

/** A minute of HD with sound in stereo, 5.1 and mono, a track of subtitles, chapters and timecodes. */
export const film: MediaFacts = {
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", start: ratio(0), duration: ratio(60), size: 1_000_000 },
  ...{ timecode: "01:00:00:00", video: [picture] },
  timecodes: [
    { kind: "container", value: "01:00:00:00" },
    { kind: "material_package", value: "00:59:50:00" },
    { kind: "source_package", value: "00:59:40:00" },
    { kind: "gop", value: "00:59:30:00" },
    { kind: "smpte", value: "00:59:20:00" },
  ],
  sections: [
    { from: ratio(0), to: ratio(20) },
    { from: ratio(20), to: ratio(40) },
    { from: ratio(40), to: ratio(60) },
  ],
  audio: [
    sound(1, { start: ratio(1, 10), duration: ratio(59) }),
    sound(2, { channels: 6, layout: "5.1", language: "fra" }),
    sound(3, { channels: 1, layout: "mono" }),
  ],
  others: [subtitles],
};

export const filmWith = (video: Partial<VideoFacts>, more: Partial<MediaFacts> = {}): MediaFacts => ({
  ...{ ...film, video: [{ ...picture, ...video }], ...more },
});

export const soundOnly: MediaFacts = {
  ...film,
  format: "wav",
  video: [],
  audio: [sound(0, { codec: "pcm_s24le" })],
  others: [],
};

const found = (facts: MediaFacts, { images }: Partial<FactRequest> = {}): FoundFacts => ({
  ...{ size: 1_000_000, modified: 5, facts, ...(images && { images: { ...images, count: 1500 } }) },
});

/** Frames of 25 a second. */
const framesFor = (question: FrameQuestion): FrameListing => ({
  ...{ stream: question.stream, zero: question.zero, frames: 1500 },
  times: question.at.map((frame) => [frame, ratio(frame, 25)]),
  groups: { keyframes: 60, shortest: 25, longest: 25, isClosed: true, hasBFrames: false },
});

const pieces = (name: string) => [{ uri: `file:///in/${name}_0.ts` }, { uri: `file:///in/${name}_1.ts` }];

const factsByName = (uri: string): MediaFacts | undefined => {
  if (/\.wav$/.test(uri)) return soundOnly;
  return /small/.test(uri) ? filmWith({ width: 640, height: 360 }) : undefined;
};

/** The facts that nodes find: `.wav` files hold sound alone, `small` ones a smaller picture, all others the film. */
export const factsAs =
  (facts: MediaFacts = film): World["facts"] =>
  (request) => ({
    found: found(factsByName(request.uri) ?? facts, request),
    framesOf: (_uri, question) => framesFor(question),
    manifestOf: () => ({
      ...{ kind: "hls", isMaster: true },
      sections: [{ tracks: [{ takes: ["video", "audio"], pieces: pieces("a") }] }],
    }),
  });

/** The film as it arrives from a source, with a file of subtitles beside it. */
export const arrived = (facts: MediaFacts = film, more: Partial<Asset> = {}): Asset => ({
  ...{ version: "src", files: [{ uri: "file:///in/film.mov", ...found(facts) }] },
  ...more,
});

export const worldOf = (facts: MediaFacts = film, more: Partial<Asset> = {}): World => ({
  ...{ inputs: [arrived(facts, more)], facts: factsAs(facts) },
});
