import { readFileSync } from "node:fs";
import { childrenNamed, parseXml, type XmlElement } from "../../../shared/basics/xml.ts";
import { isSameCodec } from "./codec-of.ts";
import { isLanguageTag } from "./playlist.ts";
import { inherited, type Representation, representationOf } from "./representation.ts";

type Context = { readonly path: string; readonly faults: string[] };

/** What is wrong in a manifest and its media: ISO/IEC 23009-1, DASH-IF's interoperability points, and CMAF. */
export const dashFaults = (path: string): string[] => {
  const root = parseXml(readFileSync(path, "utf8"));
  const context: Context = { path, faults: [] };
  const fail = (text: string) => void context.faults.push(`${path}: ${text}`);
  const [period] = childrenNamed(root, "Period");
  const sets = childrenNamed(period, "AdaptationSet");
  const all = sets.map((set) => {
    const members = childrenNamed(set, "Representation").map((each) => representationOf(each, set, context));
    for (const fault of [
      ...setFaults(set, members, isOnDemand(root)),
      ...members.flatMap((each) => memberFaults(each, set, root)),
    ])
      fail(fault);
    return { set, members };
  });
  const ids = all.flatMap(({ members }) => members.map(({ id }) => id));
  if (new Set(ids).size < ids.length) fail(`representations share an id: ${ids}`);
  const said = secondsOf(root.attributes.get("mediaPresentationDuration"));
  const lasts = Math.max(...all.flatMap(({ members }) => members.map(({ segments }) => segments.at(-1)?.ends ?? 0)));
  if (Number.isFinite(lasts) && lasts > 0 && Math.abs(lasts - said) > 0.15)
    fail(`it lasts ${lasts}, and mediaPresentationDuration is ${said}`);
  if (Number.isFinite(lasts) && lasts - said > 0.0015) fail(`it lasts ${lasts}, and players stop at ${said}`);
  const longest = Math.max(
    0,
    ...all.flatMap(({ members }) =>
      members.flatMap(({ segments }) => segments.map(({ begins, ends }) => ends - begins)),
    ),
  );
  const most = root.attributes.get("maxSegmentDuration");
  if (most !== undefined && longest - secondsOf(most) > 0.0015)
    fail(`a segment lasts ${longest}, and none is to last more than ${most}`);
  for (const fault of choiceFaults(sets)) fail(fault);
  return context.faults;
};

const isOnDemand = (root: XmlElement): boolean => root.attributes.get("profiles")?.includes("isoff-on-demand") === true;

const secondsOf = (text = ""): number => {
  const [, hours = "0", minutes = "0", seconds = "0"] =
    /^PT(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?$/.exec(text) ?? [];
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
};

const isYes = (text: string | undefined): boolean => text === "true" || text === "1" || text === "2";

const setFaults = (set: XmlElement, members: readonly Representation[], isIndexed: boolean): string[] => {
  const faults: string[] = [];
  const [id = "?", lang, contentType] = ["id", "lang", "contentType"].map((name) => set.attributes.get(name));
  const fail = (text: string) => void faults.push(`set ${id} ${text}`);
  if (lang !== undefined && !isLanguageTag(lang)) fail(`has lang ${lang}`);
  if (!contentType && !inherited("mimeType", members[0]?.element ?? set, set)) fail("has no contentType");
  const timed = members.filter(({ track }) => track && track.kind !== "text");
  const begins = (each: Representation | undefined) => each?.segments.map((segment) => segment.begins) ?? [];
  for (const each of timed.slice(1))
    if (
      begins(each).length !== begins(timed[0]).length ||
      begins(each).some((at, index) => Math.abs(at - (begins(timed[0])[index] ?? 0)) > 0.001)
    )
      fail(`is not aligned: ${each.id}`);
  if (
    timed.length > 0 &&
    isIndexed &&
    !(isYes(set.attributes.get("subsegmentAlignment")) && set.attributes.get("subsegmentStartsWithSAP"))
  )
    fail("has no subsegmentAlignment or subsegmentStartsWithSAP");
  if (
    timed.length > 0 &&
    !isIndexed &&
    !(isYes(set.attributes.get("segmentAlignment")) && inherited("startWithSAP", members[0]?.element ?? set, set))
  )
    fail("has no segmentAlignment or startWithSAP");
  const families = new Set(members.map(({ track }) => track?.codecs.split(".")[0]));
  if (families.size > 1) fail(`mixes codecs: ${[...families]}`);
  if (new Set(timed.map(({ track }) => track?.channels)).size > 1) fail("mixes numbers of channels");
  faults.push(...colorFaults(set, timed), ...captionFaults(set, members));
  return faults;
};

const cicp = "urn:mpeg:mpegB:cicp:TransferCharacteristics";

/** DASH-IF IOP: players must know that they can show PQ and HLG before they choose it. */
const colorFaults = (set: XmlElement, members: readonly Representation[]): string[] => {
  const transfer = members[0]?.track?.transfer;
  const said = [set, ...members.map(({ element }) => element)]
    .flatMap((each) => [...childrenNamed(each, "EssentialProperty"), ...childrenNamed(each, "SupplementalProperty")])
    .find(({ attributes }) => attributes.get("schemeIdUri") === cicp);
  if (transfer !== 16 && transfer !== 18) return [];
  return said?.attributes.get("value") === String(transfer)
    ? []
    : [`set ${set.attributes.get("id")} has transfer ${transfer}, and says ${said?.attributes.get("value")}`];
};

const captionFaults = (set: XmlElement, members: readonly Representation[]): string[] => {
  const hasThem = members.some(({ hasCaptions }) => hasCaptions);
  const says = childrenNamed(set, "Accessibility").some(
    ({ attributes }) => attributes.get("schemeIdUri")?.startsWith("urn:scte:dash:cc:cea-") === true,
  );
  return hasThem && !says ? [`set ${set.attributes.get("id")} has captions in its pictures, and does not say so`] : [];
};

const memberFaults = (
  { element, id, track, segments }: Representation,
  set: XmlElement,
  root: XmlElement,
): string[] => {
  const faults: string[] = [];
  const fail = (text: string) => void faults.push(`${id} ${text}`);
  const { attributes } = element;
  if (!attributes.get("bandwidth")) fail("has no bandwidth");
  const codecs = inherited("codecs", element, set);
  if (track && !isSameCodec(track.codecs, codecs ?? "")) fail(`is ${track.codecs}, and says ${codecs}`);
  if (!inherited("mimeType", element, set)) fail("has no mimeType");
  if (
    track?.kind === "video" &&
    `${inherited("width", element, set)}x${inherited("height", element, set)}` !== `${track.width}x${track.height}`
  )
    fail(
      `has ${track.width}x${track.height}, and says ${inherited("width", element, set)}x${inherited("height", element, set)}`,
    );
  const speakers = [
    ...childrenNamed(element, "AudioChannelConfiguration"),
    ...childrenNamed(set, "AudioChannelConfiguration"),
  ];
  if (track?.kind === "audio" && speakers.length === 0) fail("has no AudioChannelConfiguration");
  for (const [at, { ends, beginsWithSync }] of segments.entries()) {
    const next = segments[at + 1]?.begins;
    if (next !== undefined && Math.abs(next - ends) > 0.0015) fail(`goes on at ${next} behind ${ends}`);
    if (track?.kind === "video" && !beginsWithSync)
      fail(`has a segment without a key frame at ${segments[at]?.begins}`);
  }
  const buffer = secondsOf(root.attributes.get("minBufferTime"));
  const least = leastBandwidth(segments, buffer);
  if (Number(attributes.get("bandwidth")) < 0.99 * least)
    fail(`needs ${Math.ceil(least)} bit/s with a buffer of ${buffer} s, and says ${attributes.get("bandwidth")}`);
  return faults;
};

/** Who reads at this rate and waits for the buffer, from any segment on, plays without a stop (ISO/IEC 23009-1, 5.3.5.2). */
const leastBandwidth = (segments: Representation["segments"], buffer: number): number => {
  let least = 0;
  for (const from of segments.keys()) {
    let bits = 0;
    for (const each of segments.slice(from, from + 50)) {
      bits += 8 * each.bytes;
      // A segment is there once all of it is: its end is played last.
      least = Math.max(least, bits / (buffer + each.ends - (segments[from]?.begins ?? 0)));
    }
  }
  return least;
};

/** Sets that players choose between by what is said of them. */
const choiceFaults = (sets: readonly XmlElement[]): string[] => {
  const told = sets
    .filter(({ attributes }) => attributes.get("contentType") === "audio" || attributes.get("contentType") === "text")
    .map((set) => {
      const [member] = childrenNamed(set, "Representation");
      const words = ["Role", "Accessibility", "Label"].flatMap((name) =>
        childrenNamed(set, name).map(
          (each) => `${each.attributes.get("schemeIdUri") ?? ""} ${each.attributes.get("value") ?? each.text}`,
        ),
      );
      const [contentType = "", lang = ""] = ["contentType", "lang"].map((name) => set.attributes.get(name));
      const speakers = childrenNamed(member, "AudioChannelConfiguration")[0]?.attributes.get("value") ?? "";
      return [
        contentType,
        lang,
        member?.attributes.get("codecs") ?? set.attributes.get("codecs") ?? "",
        speakers,
        ...words,
      ].join("|");
    });
  return new Set(told).size < told.length ? [`players cannot tell these sets apart: ${told.join(" and ")}`] : [];
};
