/** A segment of a playlist and the initialisation vector that it is encrypted with. */
export type SegmentKey = { readonly name: string; readonly iv: string };

type Keyed = { readonly url: string; readonly iv: string | undefined };

/**
 * The playlist with an EXT-X-KEY wherever another key begins, and its segments. Without an iv of its own, a segment takes
 * its media sequence number, as players do (RFC 8216, 5.2).
 */
export const withKeys = (
  text: string,
  keyOf: (segment: number) => Keyed,
): { readonly text: string; readonly segments: readonly SegmentKey[] } => {
  const first = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)/m.exec(text)?.[1] ?? 0);
  const segments: SegmentKey[] = [];
  let last = "";
  const lines = text.split("\n").flatMap((line) => {
    if (line.startsWith("#EXTINF:")) {
      const { url, iv } = keyOf(segments.length);
      const tag = `#EXT-X-KEY:METHOD=AES-128,URI="${url.replaceAll('"', "%22")}"${iv === undefined ? "" : `,IV=0x${iv}`}`;
      const isNew = tag !== last;
      last = tag;
      return isNew ? [tag, line] : [line];
    }
    if (line.trim() === "" || line.startsWith("#")) return [line];
    const { iv } = keyOf(segments.length);
    segments.push({ name: line.trim(), iv: iv ?? (first + segments.length).toString(16).padStart(32, "0") });
    return [line];
  });
  return { text: lines.join("\n"), segments };
};
