import type { Measured } from "./master.ts";
import { peakRate, type RatedSegment } from "./peak-rate.ts";

/** What a media playlist and the sizes of its files say of its rate. Byte ranges count by their length. */
export const measurePlaylist = (text: string, sizeOf: (name: string) => number): Measured => {
  const segments = ratedSegments(text, sizeOf);
  // The largest key frame is the peak of a playlist that has only key frames (RFC 8216, 4.3.4.3).
  const isFrames = /^#EXT-X-I-FRAMES-ONLY/m.test(text);
  const [seconds, bits] = segments.reduce(([sum, all], each) => [sum + each.seconds, all + each.bits], [0, 0]);
  const largest = segments.reduce(
    (most, each) => (each.seconds > 0 ? Math.max(most, each.bits / each.seconds) : most),
    0,
  );
  return { peak: isFrames ? largest : peakRate(segments, targetOf(text)), average: seconds > 0 ? bits / seconds : 0 };
};

const ratedSegments = (text: string, sizeOf: (name: string) => number): RatedSegment[] => {
  let [seconds, length] = [0, 0];
  return text.split("\n").flatMap((line) => {
    seconds = Number(/^#EXTINF:([\d.]+)/.exec(line)?.[1] ?? seconds);
    length = Number(/^#EXT-X-BYTERANGE:(\d+)/.exec(line)?.[1] ?? length);
    if (line.trim() === "" || line.startsWith("#")) return [];
    const bits = 8 * (length > 0 ? length : sizeOf(line.trim()));
    length = 0;
    return [{ seconds, bits }];
  });
};

const tag = /^(#EXT-X-TARGETDURATION:)(\d+)/m;

/** The target duration that a playlist says. */
export const targetOf = (text: string): number => Number(tag.exec(text)?.[2] ?? 0);

/**
 * The longest of these target durations. All playlists of a film have the same one (RFC 8216, 6.2.4), but those of texts
 * and of key frames.
 */
export const sharedTarget = (playlists: readonly string[]): number =>
  playlists.filter(isTimed).reduce((most, text) => Math.max(most, targetOf(text)), 0);

/** The playlist with this target duration, unless it may have its own. */
export const withTarget = (text: string, target: number): string =>
  target > 0 && isTimed(text) ? text.replace(tag, `$1${target}`) : text;

const isTimed = (text: string): boolean => !/^#EXT-X-I-FRAMES-ONLY|^[^#\s].*\.(web)?vtt\s*$/im.test(text);
