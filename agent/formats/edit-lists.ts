import { open } from "node:fs/promises";
import { inLayoutOrder } from "../../media/ffmpeg/layouts.ts";
import { sensibleFacts } from "../../media/ffmpeg/sensible-facts.ts";
import { labelledLayout } from "../../media/formats/channel-labels.ts";
import { constantRate } from "../../media/formats/stream-timing.ts";
import { add, max, multiply, type Rational, ratio, round, subtract, toNumber } from "../../shared/basics/rational.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../shared/model/asset.ts";
import {
  type Edit,
  parseEditList,
  parseMediaDuration,
  parseTimescale,
  parseTrackId,
} from "../../shared/model/edit-list.ts";
import { createReadAt, type ReadAt } from "../disk/read-at.ts";
import { type Box, boxesWithin, createBoxReader, named } from "./mp4-boxes.ts";

/**
 * Adds to the facts of an MP4 or QuickTime file the edit lists of its tracks, which ffprobe does not report, and the order of
 * channels that QuickTime labels.
 */
export const withEditLists = async (facts: MediaFacts, path: string): Promise<MediaFacts> => {
  if (!facts.format.startsWith("mov,")) return facts;
  await using file = await open(path, "r");
  const boxes = await boxesWithin(createReadAt(file), 0, facts.size);
  const { edits, lengths, layouts } = await tracksOf(createReadAt(file), boxes);
  const told = <T extends { readonly id?: number }>(stream: T): T => {
    const own = stream.id === undefined ? undefined : edits.get(stream.id);
    const mediaDuration = own && hiding(own, lengths.get(stream.id ?? 0));
    return own ? { ...stream, edits: own, ...(mediaDuration && { mediaDuration }) } : stream;
  };
  // ffprobe tells which channels there are, and not always in which order.
  const named = (sound: AudioFacts): AudioFacts => {
    const layout = sound.id === undefined ? undefined : layouts.get(sound.id);
    // Decoders of compressed sound have an order of their own.
    const isTold = sound.channels <= 2 || sound.codec.startsWith("pcm_");
    return layout && isTold && !isInOrder(layout, sound) ? { ...sound, layout } : sound;
  };
  const shown = asShown({
    ...facts,
    isStreamable: boxes.find(({ type }) => type === "moov" || type === "mdat")?.type === "moov",
    video: facts.video.map(told).map(counted),
    audio: facts.audio.map(told).map(named),
    others: facts.others.map(told),
  });
  return sensibleFacts(shown);
};

/** Seconds by which scales of time may differ. */
const rounding = 0.01;

/** How long media last of which edits show less. */
const hiding = (edits: readonly Edit[], media: Rational | undefined): Rational | undefined => {
  const shown = edits.flatMap(({ mediaTime, duration }) => (mediaTime ? [toNumber(duration)] : []));
  const hidden = media ? toNumber(media) - shown.reduce((sum, each) => sum + each, 0) : 0;
  // Fragments behind the index are shown whole: their list has no length.
  return shown.some((each) => each > 0) && hidden > rounding ? media : undefined;
};

/** The container counts all frames of the media. If edits show fewer, only those count. */
const counted = (video: VideoFacts): VideoFacts => {
  const rate = constantRate(video);
  if (!video.edits || !video.frames || !video.duration || !rate) return video;
  return { ...video, frames: Math.min(video.frames, round(multiply(video.duration, rate))) };
};

/** Builds of ffprobe disagree about films of several edits: such a film is as long as what its edits show. */
const asShown = (facts: MediaFacts): MediaFacts => {
  const lists = [...facts.video, ...facts.audio].map(({ edits = [] }) => edits);
  if (!lists.some(({ length }) => length > 1) || lists.some(({ length }) => length === 0)) return facts;
  const end = lists.map((edits) => edits.map((edit) => edit.duration).reduce(add)).reduce(max);
  // Edits that show nothing come before the start of a film that begins late.
  const duration = subtract(end, max(facts.start ?? ratio(0), ratio(0)));
  // Lengths beyond all films are nobody's: a sum of them is no number that a message may hold.
  if (duration.num <= 0 || !Number.isSafeInteger(duration.num)) return facts;
  return { ...facts, duration, bitRate: Math.floor((8 * facts.size) / toNumber(duration)) };
};

/** No header or edit list in use is larger than this. */
const mostBytes = 1024 * 1024;

const bytesIn = ({ buffer, byteOffset, byteLength }: DataView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Whether labelled channels are in the order that every version of ffmpeg has them in anyway. */
const isInOrder = (layout: string, { channels }: AudioFacts): boolean => {
  const names = layout.split("+");
  if (names.length === channels && channels > 6) return false;
  return names.length !== channels ? !layout.endsWith("C") : inLayoutOrder(names).join("+") === layout;
};

type Told = {
  readonly edits: ReadonlyMap<number, Edit[]>;
  /** Seconds of each track's media. */
  readonly lengths: ReadonlyMap<number, Rational>;
  readonly layouts: ReadonlyMap<number, string>;
};

const tracksOf = async (readAt: ReadAt, boxes: readonly Box[]): Promise<Told> => {
  const { within, payload } = createBoxReader(readAt, mostBytes);
  const movie = await within(named(boxes, "moov"));
  const movieScale = parseTimescale(await payload(named(movie, "mvhd")));
  const found = new Map<number, Edit[]>();
  const lengths = new Map<number, Rational>();
  const layouts = new Map<number, string>();
  for (const track of movie.filter(({ type }) => type === "trak").slice(0, 1000)) {
    const boxes = await within(track);
    const id = parseTrackId(await payload(named(boxes, "tkhd")));
    const media = await within(named(boxes, "mdia"));
    const head = await payload(named(media, "mdhd"));
    const mediaScale = parseTimescale(head);
    const lasts = parseMediaDuration(head);
    if (id !== undefined && lasts) lengths.set(id, lasts);
    const sound = await within(named(media, "minf"));
    const table = named(sound, "smhd") && (await within(named(sound, "stbl")));
    const descriptions = table && (await payload(named(table, "stsd")));
    const layout = descriptions && labelledLayout(bytesIn(descriptions));
    if (id !== undefined && layout !== undefined) layouts.set(id, layout);
    const list = await payload(named(await within(named(boxes, "edts")), "elst"));
    if (id !== undefined && movieScale && mediaScale && list)
      found.set(id, parseEditList(list, movieScale, mediaScale));
  }
  return { edits: found, lengths, layouts };
};
