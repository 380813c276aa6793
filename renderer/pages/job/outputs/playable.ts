import { t } from "@lingui/core/macro";
import { audioCodecName, videoCodecName } from "../../../../media/packaging/codec-names.ts";
import { mediaKindOf } from "../../../../shared/files/media-kinds.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../../../shared/model/asset.ts";
import { allOf } from "../../../ui/text/format.ts";

/** Whether the browser says that it can play this type, such as `video/mp4; codecs="avc1.64001f"`. */
export type CanPlay = (type: string) => boolean;

/** What the browser of this page says. */
export const canPlayHere: CanPlay = (type) => document.createElement("video").canPlayType(type) !== "";

/** Browsers play these without admitting it: they are asked about their nearest relative. */
const relatives: Readonly<Record<string, string>> = { "video/quicktime": "video/mp4", "video/x-m4v": "video/mp4" };
const pictures: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp"]);

/** Codecs that RFC 6381 gives no name of their own, or that browsers know by another one. */
const types: Readonly<Record<string, string>> = {
  vp8: 'video/webm; codecs="vp8"',
  theora: 'video/ogg; codecs="theora"',
  vorbis: 'audio/webm; codecs="vorbis"',
  mp3: "audio/mpeg",
};

/** What people call codecs; others keep ffmpeg's name. */
const titles: Readonly<Record<string, string>> = {
  ...{ h264: "H.264", hevc: "HEVC", prores: "ProRes", dnxhd: "DNxHD", mpeg2video: "MPEG-2", mpeg4: "MPEG-4 Visual" },
  // untranslated: names are the same everywhere
  ...{ mjpeg: "Motion JPEG", jpeg2000: "JPEG 2000", dvvideo: "DV", vc1: "VC-1", av1: "AV1", ffv1: "FFV1", wmv3: "WMV" },
  ...{ ac3: "AC-3", eac3: "E-AC-3", dts: "DTS", truehd: "TrueHD", mp2: "MP2", alac: "ALAC", wmav2: "WMA" },
};

/**
 * What of a file the browser cannot play, in words that follow "the browser cannot play"; undefined if it may play all of it,
 * as far as the file's facts and name show.
 */
export const unplayable = (uri: string, facts: MediaFacts | null, can: CanPlay): string | undefined => {
  const { show, type } = mediaKindOf(uri);
  if (show === "text" || show === "playlist" || show === "other") return undefined;
  if (show === "image") return pictures.has(type) ? undefined : t`${endingOf(uri)} pictures`;
  const video = facts?.video.find(({ isCover }) => !isCover);
  const audio = facts?.audio[0];
  const lost = [
    ...(video && !plays(typeOfVideo(video), can) ? [titleOf(video.codec)] : []),
    ...(audio && !plays(typeOfAudio(audio, type), can) ? [titleOf(audio.codec)] : []),
  ];
  if (lost.length > 0) return allOf(lost);
  return can(relatives[type] ?? type) ? undefined : t`${endingOf(uri)} files`;
};

const plays = (type: string | undefined, can: CanPlay): boolean => type !== undefined && can(type);

const titleOf = (codec: string): string => titles[codec] ?? (codec.startsWith("pcm_") ? "PCM" : codec);

const endingOf = (uri: string): string => /\.([a-z0-9]+)$/i.exec(uri)?.[1]?.toUpperCase() ?? "";

const typeOfVideo = (video: VideoFacts): string | undefined =>
  types[video.codec] ?? inMp4("video", videoCodecName(video));

/** Browsers take PCM from WAV alone; elsewhere some of them play the picture without it. */
const typeOfAudio = (audio: AudioFacts, container: string): string | undefined => {
  if (audio.codec.startsWith("pcm_")) return container === "audio/wav" ? 'audio/wav; codecs="1"' : undefined;
  return types[audio.codec] ?? inMp4("audio", audioCodecName(audio));
};

const inMp4 = (kind: string, codec: string | undefined): string | undefined =>
  codec && `${kind}/mp4; codecs="${codec}"`;
