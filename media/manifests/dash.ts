import { add, parseRational, type Rational, ratio, subtract, toNumber } from "../../shared/basics/rational.ts";
import { child, childrenNamed, childText, parseXml, type XmlElement } from "../../shared/basics/xml.ts";
import type { Piece } from "../../shared/model/asset.ts";
import { capabilityError, sourceError } from "../../shared/model/failure.ts";
import {
  type Documents,
  limitAllPieces,
  limitPieces,
  limitSections,
  limitTracks,
  type ManifestTrack,
  type Reading,
  referenceUri,
  type Section,
} from "../../shared/work/manifest.ts";
import { expandTemplate } from "./dash-template.ts";

/** Parses a DASH manifest. Of each track, the representation with the highest bit rate is used. */
export const readDash = (uri: string, documents: Documents): Reading => {
  const mpd = parseXml(documents.get(uri) ?? "");
  refuseUnread(mpd, uri);
  const base = baseOf(uri, mpd);
  const periods = childrenNamed(mpd, "Period");
  limitSections(periods.length, uri);
  const sections = sectionsOf({ mpd, periods, base, uri });
  if (sections.length === 0) throw sourceError(`${uri} is a manifest without video or audio`);
  const isMaster = periods.some((period) =>
    childrenNamed(period, "AdaptationSet").some((set) => childrenNamed(set, "Representation").length > 1),
  );
  return { manifest: { kind: "dash", isMaster, sections } };
};

const refuseUnread = (mpd: XmlElement, uri: string): void => {
  if (mpd.attributes.get("type") === "dynamic") throw sourceError(`${uri} is a live manifest: it still grows`);
  if (has(mpd, (each) => each.name === "ContentProtection")) {
    throw capabilityError(`${uri} is encrypted, which is not implemented for sources`);
  }
  if (has(mpd, (each) => each.attributes.has("href"))) {
    throw capabilityError(`${uri} fetches parts of itself (xlink:href), which is not implemented`);
  }
};

const has = (element: XmlElement, test: (each: XmlElement) => boolean): boolean =>
  test(element) || element.children.some((each) => has(each, test));

/** A base within a base is joined to it. */
const baseOf = (outer: string, element: XmlElement): string => {
  const text = childText(element, "BaseURL");
  return text === undefined ? outer : referenceUri(outer, text);
};

type Place = {
  readonly mpd: XmlElement;
  readonly periods: readonly XmlElement[];
  readonly period: XmlElement;
  readonly index: number;
  readonly base: string;
  readonly uri: string;
};

/** Counted as they are made: periods multiply with tracks and segments. */
const sectionsOf = (document: Omit<Place, "period" | "index">): Section[] => {
  let pieces = 0;
  const made = (count: number): void => {
    pieces += count;
    limitAllPieces(pieces, document.uri);
  };
  return document.periods.flatMap((period, index) => sectionOf({ ...document, period, index }, made));
};

const sectionOf = (place: Place, made: (pieces: number) => void): Section[] => {
  const sets = childrenNamed(place.period, "AdaptationSet");
  const video = sets.find((set) => kindOf(set) === "video");
  const sounds = sets.filter((set) => kindOf(set) === "audio");
  limitTracks(sounds.length + (video ? 1 : 0), place.uri);
  const counted = (set: XmlElement, takes: "video" | "audio"): ManifestTrack => {
    const track = trackOf(set, takes, place);
    made(track.pieces.length);
    return track;
  };
  const tracks = [...(video ? [counted(video, "video")] : []), ...sounds.map((set) => counted(set, "audio"))];
  return tracks.length === 0 ? [] : [{ tracks }];
};

const kindOf = (set: XmlElement): string | undefined => {
  const type = set.attributes.get("contentType") ?? set.attributes.get("mimeType");
  return (type ?? childrenNamed(set, "Representation")[0]?.attributes.get("mimeType"))?.split("/", 1)[0];
};

const trackOf = (set: XmlElement, takes: "video" | "audio", place: Place): ManifestTrack => {
  const [first, ...others] = childrenNamed(set, "Representation");
  if (!first) throw sourceError(`${place.uri} has a set of ${takes} without a representation`);
  const best = others.reduce((a, b) => (bandwidthOf(b) > bandwidthOf(a) ? b : a), first);
  const base = baseOf(baseOf(baseOf(place.base, place.period), set), best);
  const language = set.attributes.get("lang");
  const levels = [place.period, set, best];
  return { takes: [takes], ...(language && { language }), ...mediaOf(levels, best, base, place) };
};

const bandwidthOf = (representation: XmlElement) => Number(representation.attributes.get("bandwidth") ?? 0);

type Media = Pick<ManifestTrack, "pieces" | "range">;

const mediaOf = (levels: readonly XmlElement[], best: XmlElement, base: string, place: Place): Media => {
  const templates = levels.flatMap((level) => child(level, "SegmentTemplate") ?? []);
  if (templates.length > 0) {
    const duration = durationOf(place);
    return { pieces: expandTemplate({ templates, best, base, duration, uri: place.uri }) };
  }
  const list = levels.map((level) => child(level, "SegmentList")).findLast(Boolean);
  if (list) return { pieces: listed(list, base, place.uri) };
  return { pieces: [{ uri: base }], range: wholeFileRange(levels, place) };
};

const listed = (list: XmlElement, base: string, uri: string): Piece[] => {
  const first = child(list, "Initialization");
  const segments = childrenNamed(list, "SegmentURL");
  limitPieces(segments.length, uri);
  return [
    ...(first ? [bytesOf(base, first.attributes.get("sourceURL"), first.attributes.get("range"))] : []),
    ...segments.map(({ attributes }) => bytesOf(base, attributes.get("media"), attributes.get("mediaRange"))),
  ];
};

const bytesOf = (base: string, reference: string | undefined, bytes: string | undefined): Piece => {
  const uri = reference === undefined ? base : referenceUri(base, reference);
  const [, from, to] = /^(\d{1,15})-(\d{1,15})$/.exec(bytes ?? "") ?? [];
  return from === undefined ? { uri } : { uri, from: Number(from), length: Number(to) - Number(from) + 1 };
};

/** Several periods may be parts of one file; then the file's own times tell which part. */
const wholeFileRange = (levels: readonly XmlElement[], place: Place): ManifestTrack["range"] => {
  const duration = durationOf(place);
  if (place.periods.length < 2 || !duration) return undefined;
  const base = levels.map((level) => child(level, "SegmentBase")).findLast(Boolean);
  const offset = Number(base?.attributes.get("presentationTimeOffset") ?? 0);
  const from = ratio(Math.round(offset), Math.max(1, Math.round(Number(base?.attributes.get("timescale") ?? 1))));
  return { from, to: add(from, duration) };
};

/** Seconds that a period lasts: its own value, else until the next one or the end. */
const durationOf = ({ mpd, periods, period, index, uri }: Place): Rational | undefined => {
  const own = secondsOf(period.attributes.get("duration"), uri);
  if (own) return own;
  const start = secondsOf(period.attributes.get("start"), uri) ?? ratio(0);
  const end =
    secondsOf(periods[index + 1]?.attributes.get("start"), uri) ??
    secondsOf(mpd.attributes.get("mediaPresentationDuration"), uri);
  const duration = end && subtract(end, start);
  return duration && toNumber(duration) > 0 ? duration : undefined;
};

/** `PT1H2M3.5S` */
const secondsOf = (text: string | undefined, uri: string): Rational | undefined => {
  if (text === undefined) return undefined;
  const found = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,6})?)\d*S)?)?$/.exec(text);
  if (!found) throw sourceError(`${uri} has the invalid duration "${text.slice(0, 40)}"`);
  const [days = 0, hours = 0, minutes = 0] = found.slice(1, 4).map((part) => Number(part ?? 0));
  return add(ratio(((days * 24 + hours) * 60 + minutes) * 60), parseRational(found[4]) ?? ratio(0));
};
