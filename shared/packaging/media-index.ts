/** Where the segments of a fragmented file lie, and when they are shown; times are ticks, `timescale` of them a second. */
export type MediaIndex = {
  readonly timescale: number;
  /** Bytes before the first segment. */
  readonly head: number;
  readonly segments: readonly {
    readonly from: number;
    readonly length: number;
    readonly start: number;
    readonly duration: number;
  }[];
};

/** An HLS playlist over one file with byte ranges (RFC 8216). */
export const mediaPlaylist = ({ timescale, head, segments }: MediaIndex, url: string): string => {
  const seconds = segments.map(({ duration }) => duration / timescale);
  const name = url.replaceAll('"', "%22");
  return [
    ...["#EXTM3U", "#EXT-X-VERSION:6", `#EXT-X-TARGETDURATION:${Math.max(1, Math.round(Math.max(...seconds)))}`],
    ...["#EXT-X-PLAYLIST-TYPE:VOD", `#EXT-X-MAP:URI="${name}",BYTERANGE="${head}@0"`],
    ...segments.flatMap(({ from, length }, at) => [
      `#EXTINF:${(seconds[at] ?? 0).toFixed(6)},`,
      `#EXT-X-BYTERANGE:${length}@${from}`,
      url,
    ]),
    ...["#EXT-X-ENDLIST", ""],
  ].join("\n");
};

/** An HLS playlist of one file of subtitles, which is a single segment. */
export const textPlaylist = (url: string, seconds: number): string =>
  [
    ...["#EXTM3U", "#EXT-X-VERSION:6", `#EXT-X-TARGETDURATION:${Math.max(1, Math.ceil(seconds))}`],
    ...["#EXT-X-PLAYLIST-TYPE:VOD", `#EXTINF:${seconds.toFixed(6)},`, url, "#EXT-X-ENDLIST", ""],
  ].join("\n");
