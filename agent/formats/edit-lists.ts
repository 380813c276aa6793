import { open } from "node:fs/promises";
import { constantRate } from "../../media/formats/stream-timing.ts";
import { add, max, multiply, round, toNumber } from "../../shared/basics/rational.ts";
import type { MediaFacts, VideoFacts } from "../../shared/model/asset.ts";
import { type Edit, parseEditList, parseTimescale, parseTrackId } from "../../shared/model/edit-list.ts";
import { createReadAt, type ReadAt } from "../disk/read-at.ts";
import { type Box, boxesWithin, createBoxReader, named } from "./mp4-boxes.ts";

/** Adds to the facts of an MP4 or QuickTime file the edit lists of its tracks, which ffprobe does not report. */
export const withEditLists = async (facts: MediaFacts, path: string): Promise<MediaFacts> => {
  if (!facts.format.startsWith("mov,")) return facts;
  await using file = await open(path, "r");
  const boxes = await boxesWithin(createReadAt(file), 0, facts.size);
  const edits = await editLists(createReadAt(file), boxes);
  const told = <T extends { readonly id?: number }>(stream: T): T => {
    const own = stream.id === undefined ? undefined : edits.get(stream.id);
    return own ? { ...stream, edits: own } : stream;
  };
  return asShown({
    ...facts,
    isStreamable: boxes.find(({ type }) => type === "moov" || type === "mdat")?.type === "moov",
    video: facts.video.map(told).map(counted),
    audio: facts.audio.map(told),
    others: facts.others.map(told),
  });
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
  const duration = lists.map((edits) => edits.map((edit) => edit.duration).reduce(add)).reduce(max);
  if (duration.num <= 0) return facts;
  return { ...facts, duration, bitRate: Math.floor((8 * facts.size) / toNumber(duration)) };
};

/** No header or edit list in use is larger than this. */
const mostBytes = 1024 * 1024;

const editLists = async (readAt: ReadAt, boxes: readonly Box[]): Promise<Map<number, Edit[]>> => {
  const { within, payload } = createBoxReader(readAt, mostBytes);
  const movie = await within(named(boxes, "moov"));
  const movieScale = parseTimescale(await payload(named(movie, "mvhd")));
  const found = new Map<number, Edit[]>();
  for (const track of movie.filter(({ type }) => type === "trak").slice(0, 1000)) {
    const boxes = await within(track);
    const id = parseTrackId(await payload(named(boxes, "tkhd")));
    const mediaScale = parseTimescale(await payload(named(await within(named(boxes, "mdia")), "mdhd")));
    const list = await payload(named(await within(named(boxes, "edts")), "elst"));
    if (id !== undefined && movieScale && mediaScale && list)
      found.set(id, parseEditList(list, movieScale, mediaScale));
  }
  return found;
};
