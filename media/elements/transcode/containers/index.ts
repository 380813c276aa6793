import { aac } from "./aac.ts";
import { aiff } from "./aiff.ts";
import { avi } from "./avi.ts";
import type { Container } from "./container.ts";
import { elementary } from "./elementary.ts";
import { flac } from "./flac.ts";
import { j2k, jpg, pngs } from "./images.ts";
import { mkv } from "./mkv.ts";
import { mov } from "./mov.ts";
import { mp3 } from "./mp3.ts";
import { fmp4, ismv, mp4, threegp } from "./mp4.ts";
import { mxf, mxfD10 } from "./mxf.ts";
import { nut } from "./nut.ts";
import { ogg } from "./ogg.ts";
import { dvd, mp1System, mp2Program, vob } from "./program-stream.ts";
import { dash, hls, segmentedMp4, segmentedTs } from "./segmented.ts";
import { alaw, mulaw } from "./telephony.ts";
import { hlsSubtitle, textFiles } from "./texts.ts";
import { mpegts } from "./transport-stream.ts";
import { wav } from "./wav.ts";
import { webm } from "./webm.ts";

/** Every container that can be made. A new one is one file and one line here; the first one with an ending has it. */
export const containers: readonly Container[] = [
  ...[jpg, j2k, pngs, mkv, webm, mov, mp4, fmp4, ismv, threegp, avi, mxf, mxfD10, mpegts, nut],
  ...[mp2Program, mp1System, vob, dvd, aac, mp3, wav, aiff, flac, alaw, mulaw, ogg, ...elementary],
  ...[hls, dash, segmentedTs, segmentedMp4],
  ...[...textFiles, hlsSubtitle],
];

export const containerOf = (kind: string): Container | undefined =>
  containers.find(({ kinds }) => kinds.includes(kind));

/** By the end of a file name or of a target's pattern; undefined where no container has this ending. */
export const containerOfName = (name: string): Container | undefined =>
  containers.find(({ extensions }) => extensions.some((extension) => name.toLowerCase().endsWith(extension)));

/** The container for a single stream of this codec, unchanged. */
export const elementaryOf = (codec: string): Container | undefined =>
  containers.find(({ isElementary, video, audio }) => isElementary && (video.test(codec) || audio.test(codec)));

/** The container of a source: by its name if this agrees with its content, else by its content. */
export const containerOfSource = (format: string, name: string): Container | undefined => {
  const named = containerOfName(name);
  const isMovLike = format === mov.probed && named !== undefined && /^(mov|mp4|ismv|3gp)$/.test(named.muxer);
  const isWebm = format === mkv.probed && named === webm;
  if (isMovLike || isWebm || (named?.probed === format && named !== undefined)) return named;
  return containers.find(({ probed }) => probed === format);
};
