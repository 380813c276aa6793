import { existsSync, readFileSync, statSync } from "node:fs";
import { childrenNamed, childText, type XmlElement } from "../../../shared/basics/xml.ts";
import { boxesIn, fragmentsIn, type Track } from "./boxes.ts";
import { fileOf, isElsewhere } from "./media-playlist.ts";
import { tracksIn } from "./tracks.ts";

/** A segment as its file has it; times are seconds. */
type Segment = {
  readonly begins: number;
  readonly ends: number;
  readonly bytes: number;
  readonly beginsWithSync: boolean;
};

export type Representation = {
  readonly element: XmlElement;
  readonly id: string;
  readonly track: Track | undefined;
  readonly segments: readonly Segment[];
  readonly hasCaptions: boolean;
};

type Context = { readonly path: string; readonly faults: string[] };

export const inherited = (name: string, element: XmlElement, set: XmlElement): string | undefined =>
  element.attributes.get(name) ?? set.attributes.get(name);

/** Reads the media of a representation. */
export const representationOf = (element: XmlElement, set: XmlElement, { path, faults }: Context): Representation => {
  const id = element.attributes.get("id") ?? "";
  const nothing = { element, id, track: undefined, segments: [], hasCaptions: false };
  const url = childText(element, "BaseURL") ?? childText(set, "BaseURL");
  const template = childrenNamed(element, "SegmentTemplate")[0] ?? childrenNamed(set, "SegmentTemplate")[0];
  if (isElsewhere(url ?? "") || isElsewhere(template?.attributes.get("media") ?? "")) return nothing;
  if (template) return { ...nothing, ...templated(template, element, url ?? "", { path, faults }) };
  const file = url === undefined ? "" : fileOf(path, url);
  if (!existsSync(file)) {
    faults.push(`${path}: ${id} has no file ${url}`);
    return nothing;
  }
  const bytes = readFileSync(file);
  const tracks = tracksIn(bytes);
  for (const fault of indexFaults(element, bytes, tracks, id)) faults.push(`${path}: ${fault}`);
  return { ...nothing, track: tracks[0], segments: segmentsOf(bytes, tracks), hasCaptions: bytes.includes("GA94\x03") };
};

const segmentsOf = (bytes: Buffer, tracks: readonly Track[]): Segment[] => {
  const [track] = tracks;
  if (!track) return [];
  const shift = track.kind === "audio" ? track.priming : 0;
  return fragmentsIn(bytes, tracks)
    .filter((each) => each.track === track.id)
    .map(({ decoded = 0, duration, bytes: length, beginsWithSync }) => ({
      ...{
        begins: Math.max(0, decoded - shift) / track.timescale,
        ends: (decoded + duration - shift) / track.timescale,
        bytes: length,
        beginsWithSync,
      },
    }));
};

/** The ranges of `SegmentBase` name the header and an index that tells the fragments (ISO/IEC 14496-12, 8.16.3). */
const indexFaults = (element: XmlElement, bytes: Buffer, tracks: readonly Track[], id: string): string[] => {
  const [base] = childrenNamed(element, "SegmentBase");
  if (!base) return [];
  const range = (text = "") => text.split("-").map(Number);
  const [from = 0, to = 0] = range(base.attributes.get("indexRange"));
  const [start = 0, end = 0] = range(childrenNamed(base, "Initialization")[0]?.attributes.get("range"));
  const faults: string[] = [];
  if (start !== 0 || tracksIn(bytes.subarray(0, end + 1)).length === 0)
    faults.push(`${id}: Initialization names no header`);
  const [index] = boxesIn(bytes, from, to + 1);
  if (index?.type !== "sidx" || index.to !== to + 1) return [...faults, `${id}: indexRange names no sidx`];
  const isLong = bytes[index.from] === 1;
  const scale = bytes.readUInt32BE(index.from + 8);
  const head = index.from + 12 + (isLong ? 16 : 8);
  const count = bytes.readUInt16BE(head + 2);
  let place =
    index.to + (isLong ? Number(bytes.readBigUInt64BE(index.from + 20)) : bytes.readUInt32BE(index.from + 16));
  const moofs = fragmentsIn(bytes, tracks);
  for (let at = 0; at < count; at += 1) {
    const entry = head + 4 + 12 * at;
    const lasts = bytes.readUInt32BE(entry + 4) / scale;
    const inside = moofs.filter(
      (each) => each.from >= place && each.from < place + (bytes.readUInt32BE(entry) & 0x7fffffff),
    );
    const timescale = tracks[0]?.timescale ?? 1;
    const real = inside.reduce((sum, { duration }) => sum + duration, 0) / timescale;
    // Samples before the first that is heard count in the fragment, and not in the index.
    const unheard = at === 0 ? (tracks[0]?.priming ?? 0) / timescale : 0;
    if (inside[0]?.from !== place || Math.abs(real - lasts) > 0.1 + unheard)
      faults.push(`${id}: sidx says ${lasts} for ${real} at ${place}`);
    place += bytes.readUInt32BE(entry) & 0x7fffffff;
  }
  return faults;
};

/** Addresses of a template's files. */
const addresses = (element: XmlElement, base: string) => {
  const { attributes } = element;
  return (text: string, number: number, time: number): string =>
    base +
    text
      .replace("$RepresentationID$", attributes.get("id") ?? "")
      .replace("$Bandwidth$", attributes.get("bandwidth") ?? "")
      .replace(/\$(Number|Time)(?:%0(\d+)d)?\$/, (_, kind: string, width = "1") =>
        String(kind === "Number" ? number : time).padStart(Number(width), "0"),
      );
};

/** The times of the timeline, in ticks. */
const timeline = (template: XmlElement): { time: number; lasts: number }[] => {
  let time = 0;
  const [lines] = childrenNamed(template, "SegmentTimeline");
  return childrenNamed(lines, "S").flatMap(({ attributes }) => {
    time = Number(attributes.get("t") ?? time);
    return Array.from({ length: 1 + Number(attributes.get("r") ?? 0) }, () => {
      const segment = { time, lasts: Number(attributes.get("d")) };
      time += segment.lasts;
      return segment;
    });
  });
};

const templated = (template: XmlElement, element: XmlElement, base: string, { path, faults }: Context) => {
  const fill = addresses(element, base);
  const said = (name: string, usual: string) => template.attributes.get(name) ?? usual;
  const head = fileOf(path, fill(said("initialization", ""), 0, 0));
  const tracks = statSync(head, { throwIfNoEntry: false })?.isFile() ? tracksIn(readFileSync(head)) : [];
  const [track] = tracks;
  const isPlain = !template.attributes.has("initialization"); // texts that are no MP4 have no header
  if (!track && !isPlain) faults.push(`${path}: ${element.attributes.get("id")} has no header ${head}`);
  const scale = Number(said("timescale", "1"));
  const files = timeline(template).map(({ time, lasts }, at) => {
    const file = fileOf(path, fill(said("media", ""), Number(said("startNumber", "1")) + at, time));
    return {
      file,
      begins: time / scale,
      lasts: lasts / scale,
      bytes: existsSync(file) ? readFileSync(file) : undefined,
    };
  });
  for (const { file, bytes } of files) if (!bytes) faults.push(`${path}: ${file} does not exist`);
  if (isPlain) return { track, segments: [], hasCaptions: false };
  const segments = files.map(({ file, begins, lasts, bytes }): Segment => {
    const parts = segmentsOf(bytes ?? Buffer.alloc(0), tracks);
    const [from, to] = [parts[0]?.begins ?? Number.NaN, parts.at(-1)?.ends ?? Number.NaN];
    if (bytes && track?.kind !== "text" && !(Math.abs(from - begins) <= 0.002 && Math.abs(to - from - lasts) <= 0.05))
      faults.push(`${path}: ${file} has ${from} to ${to}, and the timeline says ${begins} and ${lasts}`);
    const beginsWithSync = parts[0]?.beginsWithSync ?? true;
    return { begins, ends: begins + lasts, bytes: bytes?.length ?? 0, beginsWithSync };
  });
  return { track, segments, hasCaptions: files.some(({ bytes }) => bytes?.includes("GA94\x03")) };
};
