import { readFileSync } from "node:fs";
import { isSameCodec } from "./codec-of.ts";
import { mediaFaults, types } from "./hls-media-faults.ts";
import { fileOf, isElsewhere, type MediaPlaylist, readMediaPlaylist, targetDuration } from "./media-playlist.ts";
import { type Attributes, neededVersion, type Playlist, parsePlaylist, saidBy } from "./playlist.ts";

/** What is wrong in a playlist, and in all that it leads to: RFC 8216 and its successor. */
export const hlsFaults = (path: string): string[] => {
  const playlist = parsePlaylist(readFileSync(path, "utf8"));
  if (!playlist.isMaster) return [...readMediaPlaylist(path).faults];
  const faults = [...playlist.faults];
  const lists = new Map<string, MediaPlaylist>();
  const listOf = (uri: string): MediaPlaylist => {
    const found = lists.get(uri) ?? readMediaPlaylist(fileOf(path, uri));
    lists.set(uri, found);
    return found;
  };
  const version = Number(saidBy(playlist, "EXT-X-VERSION") ?? 1);
  if (version < neededVersion(playlist)) faults.push(`EXT-X-VERSION ${version} is below ${neededVersion(playlist)}`);
  const media = playlist.tags.filter(({ name }) => name === "EXT-X-MEDIA").map(({ attributes }) => attributes);
  faults.push(...mediaFaults(media));
  const addressed = [...playlist.entries.map(({ uri }) => uri), ...media.flatMap(({ URI }) => URI ?? [])];
  if (addressed.some(isElsewhere)) return faults.map((each) => `${path}: ${each}`);
  const variants = variantsOf(playlist).map((attributes) => ({ attributes, list: listOf(attributes.URI ?? "") }));
  const heard = media
    .filter(({ URI }) => URI !== undefined)
    .map((attributes) => ({ attributes, list: listOf(attributes.URI ?? "") }));
  for (const variant of variants) faults.push(...variantFaults(variant, media, heard));
  for (const { attributes } of playlist.tags.filter(({ name }) => name === "EXT-X-I-FRAME-STREAM-INF"))
    faults.push(...frameFaults(attributes, listOf(attributes.URI ?? "")));
  faults.push(...togetherFaults([...lists.values()], variants));
  return [...faults.map((each) => `${path}: ${each}`), ...[...lists.values()].flatMap((each) => each.faults)];
};

const variantsOf = ({ entries }: Playlist): Attributes[] =>
  entries.map(({ uri, tags }) => ({ ...tags.find(({ name }) => name === "EXT-X-STREAM-INF")?.attributes, URI: uri }));

type Listed = { readonly attributes: Attributes; readonly list: MediaPlaylist };

const variantFaults = (
  { attributes, list }: Listed,
  media: readonly Attributes[],
  heard: readonly Listed[],
): string[] => {
  const faults: string[] = [];
  for (const name of types) {
    const group = attributes[name];
    if (
      group !== undefined &&
      group !== "NONE" &&
      !media.some((each) => each.TYPE === name && each["GROUP-ID"] === group)
    )
      faults.push(`${list.path} names the group ${group}, which does not exist`);
  }
  const played = heard.filter(({ attributes: each }) => each.TYPE === "AUDIO" && each["GROUP-ID"] === attributes.AUDIO);
  const rates = [ratesOf(list), ...[most(played.map(({ list: each }) => ratesOf(each)))]];
  if ([list, ...played.map((each) => each.list)].some(({ segments }) => segments.some(({ bytes }) => bytes === 0)))
    return faults;
  const sum = {
    peak: rates.reduce((all, { peak }) => all + peak, 0),
    average: rates.reduce((all, { average }) => all + average, 0),
  };
  faults.push(...rateFaults(attributes, sum, list.path));
  faults.push(...codecFaults(attributes, [list, ...played.map((each) => each.list)]));
  const picture = list.tracks.find(({ kind }) => kind === "video");
  if (picture && attributes.RESOLUTION !== `${picture.width}x${picture.height}`)
    faults.push(`${list.path} has ${picture.width}x${picture.height}, and RESOLUTION ${attributes.RESOLUTION}`);
  if (picture && !attributes["FRAME-RATE"]) faults.push(`${list.path} has no FRAME-RATE`);
  faults.push(...rangeFaults(attributes, list), ...captionFaults(attributes, list));
  return faults;
};

type Rates = { readonly peak: number; readonly average: number };

const most = (rates: readonly Rates[]): Rates => ({
  peak: Math.max(0, ...rates.map(({ peak }) => peak)),
  average: Math.max(0, ...rates.map(({ average }) => average)),
});

/** The peak is that of the largest run of segments which lasts 0.5 to 1.5 target durations. */
export const ratesOf = (list: MediaPlaylist): Rates => {
  const { segments } = list;
  const whole = (all: typeof segments) =>
    all.reduce((sum, { said, bytes }) => [(sum[0] ?? 0) + said, (sum[1] ?? 0) + 8 * bytes], [0, 0]);
  const [seconds = 0, bits = 0] = whole(segments);
  let peak = 0;
  for (const from of segments.keys())
    for (let to = from + 1; to <= segments.length; to += 1) {
      const [lasts = 0, size = 0] = whole(segments.slice(from, to));
      if (lasts > 1.5 * targetDuration(list)) break;
      if (lasts >= 0.5 * targetDuration(list)) peak = Math.max(peak, size / lasts);
    }
  const average = seconds > 0 ? bits / seconds : 0;
  return { peak: Math.max(peak, average), average };
};

const rateFaults = (attributes: Attributes, { peak, average }: Rates, what: string): string[] => {
  const said = [Number(attributes.BANDWIDTH), Number(attributes["AVERAGE-BANDWIDTH"] ?? average)] as const;
  const isNear = (one: number, other: number) => one >= other * 0.999 - 1 && one <= other * 1.1 + 1;
  return [
    ...(isNear(said[0], peak) ? [] : [`${what} peaks at ${Math.round(peak)}, and BANDWIDTH says ${said[0]}`]),
    ...(isNear(said[1], average)
      ? []
      : [`${what} has ${Math.round(average)} bit/s, and AVERAGE-BANDWIDTH says ${said[1]}`]),
  ];
};

const codecFaults = ({ CODECS }: Attributes, lists: readonly MediaPlaylist[]): string[] => {
  const said = CODECS?.split(",") ?? [];
  const there = lists.flatMap(({ tracks }) => tracks.map(({ codecs }) => codecs));
  const path = lists[0]?.path;
  if (CODECS === undefined) return [`${path} has no CODECS`];
  const missing = there.filter((each) => !said.some((other) => isSameCodec(each, other)));
  const extra =
    there.length === 0 || lists.some(({ kind }) => kind !== "fragments")
      ? []
      : said.filter((each) => !there.some((other) => isSameCodec(each, other)));
  return missing.length + extra.length > 0 ? [`${path} has ${there}, and CODECS says ${said}`] : [];
};

const ranges: Readonly<Record<number, string>> = { 16: "PQ", 18: "HLG" };

const rangeFaults = (attributes: Attributes, { tracks, path }: MediaPlaylist): string[] => {
  const transfer = tracks.find(({ kind }) => kind === "video")?.transfer;
  if (transfer === undefined) return [];
  const range = ranges[transfer] ?? "SDR";
  return (attributes["VIDEO-RANGE"] ?? "SDR") === range
    ? []
    : [`${path} is ${range}, and VIDEO-RANGE says ${attributes["VIDEO-RANGE"]}`];
};

const captionFaults = (attributes: Attributes, { hasCaptions, path }: MediaPlaylist): string[] => {
  const said = attributes["CLOSED-CAPTIONS"];
  if (hasCaptions && (said === undefined || said === "NONE"))
    return [`${path} has captions, and CLOSED-CAPTIONS says ${said}`];
  return [];
};

const frameFaults = (attributes: Attributes, list: MediaPlaylist): string[] => {
  const peak = Math.max(0, ...list.segments.map(({ bytes, said }) => (said > 0 ? (8 * bytes) / said : 0)));
  const said = Number(attributes.BANDWIDTH);
  return [
    ...(said < 0.99 * Math.min(peak, ratesOf(list).peak)
      ? [`${list.path} peaks at ${Math.round(peak)}, and BANDWIDTH says ${said}`]
      : []),
    ...(list.isFrames ? [] : [`${list.path} has no EXT-X-I-FRAMES-ONLY`]),
    ...rangeFaults(attributes, list),
  ];
};

/** What holds for the playlists of one film together. */
const togetherFaults = (lists: readonly MediaPlaylist[], variants: readonly Listed[]): string[] => {
  const timed = lists.filter(({ kind, isFrames }) => !isFrames && kind !== "text");
  const faults: string[] = [];
  const targets = new Set(timed.map(targetDuration));
  if (targets.size > 1) faults.push(`the target durations differ: ${[...targets]}`);
  const nones = variants.filter(({ attributes }) => attributes["CLOSED-CAPTIONS"] === "NONE").length;
  if (nones > 0 && nones < variants.length) faults.push("some variants alone say CLOSED-CAPTIONS=NONE");
  const [first, ...others] = variants.map(({ list }) => list);
  const begins = (list: MediaPlaylist) => list.segments.flatMap(({ begins: at }) => at ?? []);
  for (const other of others.filter(({ kind }) => kind === first?.kind)) {
    const [one, two] = [begins(first as MediaPlaylist), begins(other)];
    if (one.length !== two.length || one.some((at, index) => Math.abs(at - (two[index] ?? 0)) > 0.001))
      faults.push(`the segments of ${other.path} do not begin where those of ${first?.path} do: ${two} for ${one}`);
  }
  const zero = first?.zero;
  for (const text of lists.filter(({ kind }) => kind === "text"))
    if (zero !== undefined && Math.abs((text.zero ?? 0) - zero) > 9000)
      faults.push(`${text.path} has its zero at ${text.zero}, and the pictures begin at ${zero}`);
  for (const sound of timed.filter(({ kind }) => kind === first?.kind))
    if (zero !== undefined && sound.zero !== undefined && Math.abs(sound.zero - zero) > 9000)
      faults.push(`${sound.path} begins at ${sound.zero}, and the pictures at ${zero}`);
  return faults;
};
