import {
  add,
  compare,
  invert,
  multiply,
  parseRational,
  type Rational,
  ratio,
  subtract,
} from "../../shared/basics/rational.ts";
import { child, childrenNamed, childText, parseXml, type XmlElement } from "../../shared/basics/xml.ts";
import type { Piece } from "../../shared/model/asset.ts";
import { capabilityError, sourceError } from "../../shared/model/failure.ts";
import {
  type Documents,
  limitSections,
  type ManifestTrack,
  type Reading,
  referenceUri,
  type Section,
} from "../../shared/work/manifest.ts";

/** Parses an IMF composition playlist; the asset map beside it names the files of its tracks. */
export const readImf = (uri: string, documents: Documents): Reading => {
  const map = referenceUri(uri, "ASSETMAP.xml");
  const text = documents.get(map);
  if (text === undefined) return { need: [map] };
  const composition = parseXml(documents.get(uri) ?? "");
  const files = filesOf(parseXml(text), map);
  const rate = editRate(composition, uri);
  const segments = childrenNamed(child(composition, "SegmentList"), "Segment");
  const sections = segments.flatMap((segment) => sectionsOf(tracksOf(segment, { composition, files, rate, uri }), uri));
  if (sections.length === 0) throw sourceError(`${uri} is a composition without picture or sound`);
  return { manifest: { kind: "imf", isMaster: false, sections } };
};

/** Track file id -> its bytes. */
const filesOf = (map: XmlElement, uri: string): Map<string, Piece[]> =>
  new Map(
    childrenNamed(child(map, "AssetList"), "Asset").map((asset) => [
      idOf(childText(asset, "Id")),
      childrenNamed(child(asset, "ChunkList"), "Chunk").map((chunk) => ({
        uri: referenceUri(uri, childText(chunk, "Path") ?? ""),
      })),
    ]),
  );

const idOf = (text: string | undefined): string => (text ?? "").toLowerCase();

type Composition = {
  readonly composition: XmlElement;
  readonly files: ReadonlyMap<string, Piece[]>;
  readonly rate: Rational;
  readonly uri: string;
};

/** Part of one file, and when it begins in its segment; seconds. */
type Placed = { readonly at: Rational; readonly from: Rational; readonly length: Rational; readonly pieces: Piece[] };
type Track = Omit<ManifestTrack, "pieces" | "range"> & { readonly placed: readonly Placed[] };

const sequences = { MainImageSequence: "video", MainAudioSequence: "audio" } as const;

const tracksOf = (segment: XmlElement, composition: Composition): Track[] => {
  const lists = child(segment, "SequenceList")?.children ?? [];
  return Object.entries(sequences).flatMap(([name, takes]) =>
    lists
      .filter((list) => list.name === name)
      .map((list) => ({
        takes: [takes],
        language: languageOf(list, composition),
        placed: placedOf(childrenNamed(child(list, "ResourceList"), "Resource"), composition),
      })),
  );
};

const placedOf = (resources: readonly XmlElement[], composition: Composition): Placed[] => {
  const placed: Placed[] = [];
  let at = ratio(0);
  for (const resource of resources) {
    const { repeat, ...part } = partOf(resource, composition);
    for (let turn = 0; turn < repeat; turn += 1) {
      placed.push({ ...part, at });
      limitSections(placed.length, composition.uri);
      at = add(at, part.length);
    }
  }
  return placed;
};

const partOf = (resource: XmlElement, { files, rate, uri }: Composition) => {
  const id = idOf(childText(resource, "TrackFileId"));
  const pieces = files.get(id);
  if (!pieces || pieces.length === 0) throw sourceError(`${uri} uses ${id}, which is not in its ASSETMAP.xml`);
  if (child(resource, "KeyId")) {
    throw capabilityError(`${uri} is encrypted, which is not implemented for sources`);
  }
  const own = pairOf(childText(resource, "EditRate")) ?? rate;
  const entry = count(resource, "EntryPoint", uri) ?? 0;
  const all = count(resource, "IntrinsicDuration", uri) ?? 0;
  const length = count(resource, "SourceDuration", uri) ?? all - entry;
  const repeat = count(resource, "RepeatCount", uri) ?? 1;
  if (length <= 0 || repeat > 1000) throw sourceError(`${uri}: the part of ${id} has no usable duration`);
  return { pieces, repeat, from: times(entry, own), length: times(length, own) };
};

const times = (units: number, rate: Rational): Rational => multiply(ratio(units), invert(rate));

const count = (resource: XmlElement, name: string, uri: string): number | undefined => {
  const text = childText(resource, name);
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw sourceError(`${uri}: ${name} "${text.slice(0, 40)}" is not a number`);
};

const editRate = (composition: XmlElement, uri: string): Rational => {
  const rate = pairOf(childText(composition, "EditRate"));
  if (!rate) throw sourceError(`${uri} is a composition without an EditRate`);
  return rate;
};

/** `24000 1001`. */
const pairOf = (text: string | undefined): Rational | undefined => {
  const rate = parseRational(text?.trim().replace(/\s+/, "/"));
  return rate && rate.num > 0 ? rate : undefined;
};

/** The channel assignment in the essence descriptor. */
const languageOf = (list: XmlElement, { composition }: Composition): string | undefined => {
  const [resource] = childrenNamed(child(list, "ResourceList"), "Resource");
  const wanted = idOf(childText(resource, "SourceEncoding"));
  const descriptors = childrenNamed(child(composition, "EssenceDescriptorList"), "EssenceDescriptor");
  const descriptor = descriptors.find((each) => idOf(childText(each, "Id")) === wanted);
  return wanted && descriptor ? textBelow(descriptor, "RFC5646SpokenLanguage") : undefined;
};

const textBelow = (element: XmlElement, name: string): string | undefined =>
  element.name === name
    ? element.text || undefined
    : element.children.map((each) => textBelow(each, name)).find((text) => text !== undefined);

/** Cut wherever any track continues with another file, so that in each section every track is part of one file. */
const sectionsOf = (tracks: readonly Track[], uri: string): Section[] => {
  if (tracks.length === 0) return [];
  const ends = tracks.map(({ placed }) => endOf(placed));
  const [first] = ends;
  if (ends.some((end) => !first || !end || compare(first, end) !== 0)) {
    throw sourceError(`${uri}: the tracks of a segment do not last equally long`);
  }
  const cuts = distinct(tracks.flatMap(({ placed }) => placed.map(({ at }) => at)));
  return cuts.map((begin, index) => ({
    tracks: tracks.map(({ placed, ...track }) => ({ ...track, ...within(placed, begin, cuts[index + 1]) })),
  }));
};

const endOf = (placed: readonly Placed[]) => {
  const last = placed.at(-1);
  return last && add(last.at, last.length);
};

const distinct = (times: readonly Rational[]): Rational[] =>
  [...times].sort(compare).filter((time, at, all) => at === 0 || compare(time, all[at - 1] ?? time) !== 0);

const within = (placed: readonly Placed[], begin: Rational, end: Rational | undefined) => {
  const found = placed.findLast(({ at }) => compare(at, begin) <= 0);
  if (!found) throw new Error("a segment's first part begins at zero");
  const from = add(found.from, subtract(begin, found.at));
  const length = end ? subtract(end, begin) : subtract(add(found.at, found.length), begin);
  return { pieces: found.pieces, range: { from, to: add(from, length) } };
};
