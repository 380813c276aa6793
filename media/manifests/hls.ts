import type { Piece } from "../../shared/model/asset.ts";
import { sourceError, TaskError } from "../../shared/model/failure.ts";
import {
  type Documents,
  limitPieces,
  limitSections,
  limitTracks,
  type ManifestTrack,
  type Reading,
  referenceUri,
  type Section,
} from "../../shared/work/manifest.ts";

/** Parses an HLS playlist. Of a master, the variant with the highest bit rate is used, with its audio. */
export const readHls = (uri: string, documents: Documents): Reading => {
  const lines = linesOf(documents, uri);
  if (!lines.some((line) => line.startsWith("#EXT-X-STREAM-INF"))) {
    const sections = segmentsOf(lines, uri).map((pieces) => ({ tracks: [{ takes: both, pieces }] }));
    return { manifest: { kind: "hls", isMaster: false, sections } };
  }
  const wanted = chosenOf(lines, uri);
  const need = wanted.map((each) => each.uri).filter((each) => !documents.has(each));
  if (need.length > 0) return { need: [...new Set(need)] };
  return { manifest: { kind: "hls", isMaster: true, sections: sideBySide(wanted, documents) } };
};

type Taken = { readonly uri: string; readonly takes: ManifestTrack["takes"]; readonly language?: string };

const both: ManifestTrack["takes"] = ["video", "audio"];

const linesOf = (documents: Documents, uri: string): string[] =>
  (documents.get(uri) ?? "")
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);

/** The playlists of the best variant: its own, and those of its audio. */
const chosenOf = (lines: readonly string[], uri: string): Taken[] => {
  const best = variantsOf(lines, uri).reduce((a, b) => (b.bandwidth > a.bandwidth ? b : a));
  const sounds = lines
    .filter((line) => line.startsWith("#EXT-X-MEDIA:"))
    .map(attributesOf)
    .filter((media) => media.get("TYPE") === "AUDIO" && best.audio && media.get("GROUP-ID") === best.audio);
  const apart = sounds.flatMap((media): Taken[] => {
    const reference = media.get("URI");
    if (reference === undefined) return [];
    return [{ uri: referenceUri(uri, reference), takes: ["audio"], language: media.get("LANGUAGE") }];
  });
  const isSoundOnly = apart.some((sound) => sound.uri === best.uri);
  const own: Taken[] = isSoundOnly ? [] : [{ uri: best.uri, takes: apart.length > 0 ? ["video"] : both }];
  limitTracks(own.length + apart.length, uri);
  return [...own, ...apart];
};

/** For each line, the first address behind it. */
const nextAddresses = (lines: readonly string[]): (string | undefined)[] => {
  let found: string | undefined;
  return lines
    .toReversed()
    .map((line) => {
      const behind = found;
      if (!line.startsWith("#")) found = line;
      return behind;
    })
    .reverse();
};

const variantsOf = (lines: readonly string[], uri: string) => {
  const next = nextAddresses(lines);
  const variants = lines.flatMap((line, at) => {
    if (!line.startsWith("#EXT-X-STREAM-INF:")) return [];
    const attributes = attributesOf(line);
    const reference = next[at];
    if (reference === undefined) return [];
    const bandwidth = Number(attributes.get("BANDWIDTH") ?? 0);
    return [{ uri: referenceUri(uri, reference), bandwidth, audio: attributes.get("AUDIO") }];
  });
  const [first, ...others] = variants;
  if (!first) throw sourceError(`${uri} is a master playlist without a variant`);
  return [first, ...others] as const;
};

/** `#EXT-X-KEY:METHOD=NONE,URI="x"` as a map. */
const attributesOf = (line: string): Map<string, string> =>
  new Map(
    [...line.matchAll(/([A-Z0-9-]{1,64})=("[^"]*"|[^",]*)/g)].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll('"', ""),
    ]),
  );

const sideBySide = (wanted: readonly Taken[], documents: Documents): Section[] => {
  const each = wanted.map(({ uri, ...track }) => ({ uri, track, sections: segmentsOf(linesOf(documents, uri), uri) }));
  const count = each[0]?.sections.length ?? 0;
  const odd = each.find(({ sections }) => sections.length !== count);
  if (odd) {
    throw sourceError(`${odd.uri} has ${odd.sections.length} discontinuous parts, its video has ${count}`);
  }
  return Array.from({ length: count }, (_, at) => ({
    tracks: each.map(({ track, sections }) => ({ ...track, pieces: sections[at] ?? [] })),
  }));
};

type Part = { readonly map: Piece | undefined; readonly segments: Piece[] };

/** Pieces of every part between two discontinuities, each part preceded by its initialisation. */
const segmentsOf = (lines: readonly string[], uri: string): Piece[][] => {
  refuseLines(lines, uri);
  const parts: Part[] = [];
  const state: { part?: Part; map?: Piece; bytes?: string; last?: Piece } = {};
  for (const line of lines) {
    const [, tag, value = ""] = /^#(EXT[A-Z-]*):?(.*)$/.exec(line) ?? [];
    if (tag === "EXT-X-BYTERANGE") state.bytes = value;
    if (tag === "EXT-X-MAP") state.map = mapOf(value, uri);
    if (tag === "EXT-X-MAP" || tag === "EXT-X-DISCONTINUITY") state.part = undefined;
    if (line.startsWith("#")) continue;
    state.part ??= begun(parts, state.map);
    state.last = pieceOf(referenceUri(uri, line), state.bytes, state.last, uri);
    state.bytes = undefined;
    state.part.segments.push(state.last);
    limitPieces(state.part.segments.length, uri);
    limitSections(parts.length, uri);
  }
  if (parts.length === 0) throw sourceError(`${uri} is a playlist without a segment`);
  return parts.map(({ map, segments }) => (map ? [map, ...segments] : segments));
};

const begun = (parts: Part[], map: Piece | undefined): Part => {
  const part = { map, segments: [] };
  parts.push(part);
  return part;
};

const mapOf = (value: string, uri: string): Piece => {
  const attributes = attributesOf(value);
  const reference = attributes.get("URI");
  if (reference === undefined) throw sourceError(`${uri} has an EXT-X-MAP without a URI`);
  return pieceOf(referenceUri(uri, reference), attributes.get("BYTERANGE"), undefined, uri);
};

/** `1000@500`: this many bytes from that offset; without an offset they follow the previous bytes. */
const pieceOf = (file: string, bytes: string | undefined, last: Piece | undefined, uri: string): Piece => {
  if (bytes === undefined) return { uri: file };
  const [, length, from] = /^(\d{1,15})(?:@(\d{1,15}))?$/.exec(bytes) ?? [];
  if (length === undefined) throw sourceError(`${uri} has the invalid byte range "${bytes}"`);
  const follows = last?.uri === file ? (last.from ?? 0) + (last.length ?? 0) : 0;
  return { uri: file, from: from === undefined ? follows : Number(from), length: Number(length) };
};

const refusals: readonly (readonly [pattern: RegExp, cause: "source" | "capability", why: string])[] = [
  [/^#EXT-X-STREAM-INF/, "source", "is a master playlist within a master playlist"],
  [/^#EXT-X-KEY:.*METHOD=(?!NONE)/, "capability", "is encrypted, which is not implemented for sources"],
  [/^#EXT-X-GAP/, "source", "has a gap: segments are missing"],
  [/^#EXT-X-DEFINE/, "capability", "has variables (EXT-X-DEFINE), which are not implemented"],
  [/^#EXT-X-I-FRAMES-ONLY/, "capability", "lists only single pictures, which is not implemented"],
];

const refuseLines = (lines: readonly string[], uri: string): void => {
  for (const [pattern, cause, why] of refusals) {
    if (lines.some((line) => pattern.test(line))) throw new TaskError(cause, `${uri} ${why}`);
  }
  if (lines.includes("#EXT-X-ENDLIST") || lines.includes("#EXT-X-PLAYLIST-TYPE:VOD")) return;
  throw sourceError(`${uri} is a playlist that still grows: it has no #EXT-X-ENDLIST`);
};
