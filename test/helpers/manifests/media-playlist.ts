import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fragmentsIn, type Track } from "./boxes.ts";
import { neededVersion, type Playlist, parsePlaylist, saidBy, type Tag } from "./playlist.ts";
import { tracksIn } from "./tracks.ts";
import { isPicture, transportTimes } from "./transport-times.ts";

/** A segment as its playlist tells it, and as its media are; times are seconds. */
export type Segment = {
  readonly said: number;
  readonly bytes: number;
  /** Undefined where the media cannot be read: they are encrypted, or texts. */
  readonly begins?: number;
  readonly ends?: number;
};

export type MediaPlaylist = {
  readonly path: string;
  readonly playlist: Playlist;
  readonly isFrames: boolean;
  readonly segments: readonly Segment[];
  readonly tracks: readonly Track[];
  readonly kind: "fragments" | "transport" | "text" | "sound" | "unreadable";
  readonly hasCaptions: boolean;
  /** Where texts and pictures have their zero, in ticks of 90 kHz: the map of texts, the first time of others. */
  readonly zero: number | undefined;
  readonly faults: readonly string[];
};

const target = ({ playlist }: Pick<MediaPlaylist, "playlist">): number =>
  Number(saidBy(playlist, "EXT-X-TARGETDURATION"));
export const targetDuration = target;

/** Reads a media playlist with all of its segments. */
export const readMediaPlaylist = (path: string): MediaPlaylist => {
  const playlist = parsePlaylist(readFileSync(path, "utf8"));
  const isFrames = playlist.tags.some(({ name }) => name === "EXT-X-I-FRAMES-ONLY");
  const faults = [...playlist.faults, ...formFaults(playlist)];
  const pieces = readPieces(path, playlist, faults);
  const tracks = pieces.tracks;
  const media = pieces.all.map((piece) => measured(piece, tracks, faults));
  const kind = media[0]?.kind ?? "unreadable";
  const segments = media.map(({ kind: _kind, ...each }) => each);
  if (!isFrames) faults.push(...timeFaults(segments, kind));
  const clear = pieces.all.filter(({ isEncrypted }) => !isEncrypted);
  return {
    ...{ path, playlist, isFrames, segments, tracks, kind, faults: faults.map((each) => `${path}: ${each}`) },
    hasCaptions: !isFrames && kind !== "text" && clear.some(({ bytes }) => bytes.includes("GA94\x03")),
    zero:
      kind === "text"
        ? mapOf(clear[0]?.bytes)
        : segments[0]?.begins === undefined
          ? undefined
          : Math.round(segments[0].begins * 90_000),
  };
};

const formFaults = (playlist: Playlist): string[] => {
  const faults: string[] = [];
  const longest = Number(saidBy(playlist, "EXT-X-TARGETDURATION") ?? Number.NaN);
  const lengths = playlist.entries.map((each) => Number.parseFloat(tagOf(each.tags, "EXTINF")?.value ?? "NaN"));
  if (!Number.isInteger(longest)) faults.push("has no whole EXT-X-TARGETDURATION");
  if (lengths.some(Number.isNaN)) faults.push("has a segment without EXTINF");
  const over = lengths.find((each) => Math.round(each) > longest);
  if (over !== undefined) faults.push(`EXTINF ${over} is above EXT-X-TARGETDURATION ${longest}`);
  if (!playlist.tags.some(({ name }) => name === "EXT-X-ENDLIST")) faults.push("has no EXT-X-ENDLIST");
  const version = Number(saidBy(playlist, "EXT-X-VERSION") ?? 1);
  if (version < neededVersion(playlist)) faults.push(`EXT-X-VERSION ${version} is below ${neededVersion(playlist)}`);
  return faults;
};

const tagOf = (tags: readonly Tag[], name: string): Tag | undefined => tags.findLast((tag) => tag.name === name);

type Piece = {
  readonly uri: string;
  readonly said: number;
  readonly bytes: Buffer;
  readonly isEncrypted: boolean;
  readonly hasTables: boolean;
};

/** The bytes of each segment, without what it shares with others. */
const readPieces = (path: string, { entries }: Playlist, faults: string[]) => {
  const ends = new Map<string, number>();
  const files = new Map<string, Buffer>();
  let [map, key, tracks]: [Tag | undefined, Tag | undefined, Track[]] = [undefined, undefined, []];
  const partOf = (uri: string, range: string | undefined): Buffer => {
    if (isElsewhere(uri)) return Buffer.alloc(0);
    const file = fileOf(path, uri);
    if (!existsSync(file)) {
      faults.push(`${uri} does not exist`);
      return Buffer.alloc(0);
    }
    const bytes = files.get(file) ?? readFileSync(file);
    files.set(file, bytes);
    if (range === undefined) return bytes;
    const [length = 0, from = ends.get(file) ?? 0] = range.split("@").map(Number);
    ends.set(file, from + length);
    if (from + length > statSync(file).size) faults.push(`a byte range ends behind the end of ${uri}`);
    return bytes.subarray(from, from + length);
  };
  const all = entries.map(({ uri, tags }): Piece => {
    const own = tagOf(tags, "EXT-X-MAP");
    const header = own && partOf(own.attributes.URI ?? "", own.attributes.BYTERANGE);
    if (header) tracks = tracksIn(header);
    if (header && tracks.length === 0 && header[0] !== 0x47) faults.push(`${own?.attributes.URI} is no header`);
    [map, key] = [own ?? map, tagOf(tags, "EXT-X-KEY") ?? key];
    const said = Number.parseFloat(tagOf(tags, "EXTINF")?.value ?? "0");
    const isEncrypted = key !== undefined && key.attributes.METHOD !== "NONE";
    const bytes = partOf(uri, tagOf(tags, "EXT-X-BYTERANGE")?.value);
    return { uri, said, bytes, isEncrypted, hasTables: map !== undefined };
  });
  return { all, tracks };
};

/** Whether an address is not that of a file beside the manifest: nothing can be read there. */
export const isElsewhere = (uri: string): boolean => /^([a-z][a-z0-9+.-]*:|\/)/i.test(uri);

/** The file that an address of a playlist names. */
export const fileOf = (path: string, uri: string): string =>
  join(dirname(path), decodeURIComponent(uri.split("?")[0] ?? ""));

const measured = (
  piece: Piece,
  tracks: readonly Track[],
  faults: string[],
): Segment & { readonly kind: MediaPlaylist["kind"] } => {
  const { bytes, said, uri, isEncrypted, hasTables } = piece;
  const plain = { said, bytes: bytes.length };
  if (isElsewhere(uri)) return { ...plain, kind: "unreadable" };
  if (tracks.length > 0) return { ...plain, ...fragmentTimes(piece, tracks, faults), kind: "fragments" };
  if (bytes.toString("latin1", 0, 6) === "WEBVTT") return { ...plain, kind: "text" };
  if (bytes[0] !== 0x47) {
    if (!isEncrypted && bytes.toString("latin1", 0, 3) !== "ID3") faults.push(`${uri} is no segment that HLS knows`);
    return { ...plain, kind: isEncrypted ? "unreadable" : "sound" };
  }
  const { streams, beginsWithTables } = transportTimes(bytes);
  if (!beginsWithTables && !hasTables) faults.push(`${uri} does not begin with its tables`);
  const leading = streams.find(isPicture) ?? streams[0];
  if (leading && isPicture(leading) && !leading.beginsWithKey && !isEncrypted)
    faults.push(`${uri} does not begin with a key frame`);
  return {
    ...plain,
    ...(leading && { begins: leading.first / 90_000, ends: leading.last / 90_000 }),
    kind: "transport",
  };
};

const fragmentTimes = ({ uri, bytes }: Piece, tracks: readonly Track[], faults: string[]) => {
  const [track] = tracks.toSorted((a, b) => Number(b.kind === "video") - Number(a.kind === "video"));
  const own = fragmentsIn(bytes, tracks).filter((each) => each.track === track?.id);
  const [first] = own;
  if (!track || !first) return {};
  if (first.decoded === undefined) faults.push(`${uri} has a fragment without tfdt`);
  if (track.kind === "video" && !first.beginsWithSync) faults.push(`${uri} does not begin with a key frame`);
  // Sound is shown from behind its priming on; of pictures, the edit only undoes their reordering.
  const begins = (first.decoded ?? 0) - (track.kind === "audio" ? track.priming : 0);
  const ticks = own.reduce((sum, { duration }) => sum + duration, 0);
  return { begins: Math.max(0, begins) / track.timescale, ends: (begins + ticks) / track.timescale };
};

/** Times are told to be right within so much; ffmpeg and the packager write six digits and more. */
const tolerance = 0.0015;

const timeFaults = (segments: readonly Segment[], kind: MediaPlaylist["kind"]): string[] =>
  segments.flatMap(({ said, begins, ends }, at) => {
    const next = segments[at + 1]?.begins;
    if (begins === undefined) return [];
    if (kind === "fragments" && next !== undefined && Math.abs((ends ?? 0) - next) > tolerance)
      return [`segment ${at + 1} begins at ${next}, and the one before it ends at ${ends}`];
    const lasts = next === undefined ? (kind === "fragments" ? (ends ?? 0) - begins : undefined) : next - begins;
    // The first segment of sound counts its priming, or does not.
    const most = kind === "fragments" && at > 0 ? tolerance : 0.05;
    return lasts !== undefined && Math.abs(lasts - said) > most
      ? [`segment ${at} lasts ${lasts}, and EXTINF says ${said}`]
      : [];
  });

const mapOf = (bytes: Buffer | undefined): number | undefined => {
  const [, ticks] = /X-TIMESTAMP-MAP=.*MPEGTS:(\d+)/.exec(bytes?.toString("utf8") ?? "") ?? [];
  return ticks === undefined ? undefined : Number(ticks);
};
