import { largest } from "./largest.ts";

/** Where the segments of a fragmented file lie, and when they are shown; times are ticks, `timescale` of them a second. */
export type MediaIndex = {
  readonly timescale: number;
  /** Bytes that every segment needs: those before the index and the first segment. */
  readonly head: number;
  /** The file's own index (a `sidx` box), if it has one for its only track. */
  readonly index?: { readonly from: number; readonly length: number };
  readonly segments: readonly {
    readonly from: number;
    readonly length: number;
    readonly start: number;
    readonly duration: number;
  }[];
};

/** A segment in a file of its own. */
export type SegmentFile = { readonly name: string; readonly seconds: number };

/** An HLS playlist over one file with byte ranges (RFC 8216). */
export const mediaPlaylist = ({ timescale, head, segments }: MediaIndex, url: string): string => {
  const seconds = segments.map(({ duration }) => duration / timescale);
  const map = `#EXT-X-MAP:URI="${url.replaceAll('"', "%22")}",BYTERANGE="${head}@0"`;
  return playlistOf(
    6,
    seconds,
    segments.map(({ from, length }) => [`#EXT-X-BYTERANGE:${length}@${from}`, url]),
    [map],
  );
};

/** An HLS playlist of one file of subtitles, which is a single segment. */
export const textPlaylist = (url: string, seconds: number): string => playlistOf(6, [seconds], [[url]]);

/** An HLS playlist of files in one folder, whose address this is. */
export const filesPlaylist = (files: readonly SegmentFile[], folder: string): string =>
  playlistOf(
    3,
    files.map(({ seconds }) => seconds),
    files.map(({ name }) => [`${folder}${encodeURIComponent(name)}`]),
  );

/** The same for fragments of MP4, whose common beginning is a file of its own. */
export const fragmentsPlaylist = (files: readonly SegmentFile[], init: string): string =>
  playlistOf(
    7,
    files.map(({ seconds }) => seconds),
    files.map(({ name }) => [name]),
    ["#EXT-X-INDEPENDENT-SEGMENTS", `#EXT-X-MAP:URI="${init}"`],
  );

const playlistOf = (
  version: number,
  seconds: readonly number[],
  segments: readonly (readonly string[])[],
  head: readonly string[] = [],
): string =>
  [
    ...["#EXTM3U", `#EXT-X-VERSION:${version}`],
    `#EXT-X-TARGETDURATION:${Math.round(largest(seconds, 1))}`,
    ...["#EXT-X-PLAYLIST-TYPE:VOD", ...head],
    ...segments.flatMap((lines, at) => [`#EXTINF:${(seconds[at] ?? 0).toFixed(6)},`, ...lines]),
    ...["#EXT-X-ENDLIST", ""],
  ].join("\n");

/**
 * The files that ffmpeg's segment muxer lists: a name, and when it begins and ends. Lines of another kind are left out. The
 * muxer lets the first one begin at zero, whatever the stream's clock begins at.
 */
export const parseSegmentList = (text: string, begin: number): SegmentFile[] =>
  text.split("\n").flatMap((line) => {
    const [, name = "", from = "", to = ""] = /^(.+),([\d.]+),([\d.]+)$/.exec(line.trim()) ?? [];
    return name === "" ? [] : [{ name, seconds: Number(to) - Math.max(Number(from), begin) }];
  });
