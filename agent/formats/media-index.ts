import { open } from "node:fs/promises";
import { durationOfRun, fragmentDefaults, startOfFragment, trackDefaults } from "../../media/formats/mp4/fragments.ts";
import type { MediaIndex } from "../../media/packaging/media-index.ts";
import { parseTimescale } from "../../shared/model/edit-list.ts";
import { TaskError } from "../../shared/model/failure.ts";
import { createReadAt, type ReadAt } from "../disk/read-at.ts";
import { type Box, boxesWithin, createBoxReader, named } from "./mp4-boxes.ts";

/** Boxes of headers are small; what is larger is damaged. */
const mostBytes = 4 * 1024 * 1024;

/**
 * Where the fragments of a file lie; of several tracks, the first one tells when they are shown. Throws TaskError for a
 * file that no player could take in parts, and for several tracks unless it may have them.
 */
export const readMediaIndex = async (path: string, uri: string, mayBeMixed = false): Promise<MediaIndex> => {
  await using file = await open(path, "r");
  const { size } = await file.stat();
  return await indexOf(createReadAt(file), size, { uri, mayBeMixed });
};

type Reading = { readonly uri: string; readonly mayBeMixed: boolean };

const indexOf = async (readAt: ReadAt, size: number, { uri, mayBeMixed }: Reading): Promise<MediaIndex> => {
  const { within, payload } = createBoxReader(readAt, mostBytes);
  const top = await boxesWithin(readAt, 0, size);
  const movie = await within(named(top, "moov"));
  const tracks = movie.filter(({ type }) => type === "trak");
  const [track] = tracks;
  const fragments = top.filter(({ type }) => type === "moof");
  const [first] = fragments;
  if (!track || !first)
    throw new TaskError("media", `${uri} is not a fragmented MP4 file, so it cannot be packaged unchanged`);
  if (tracks.length > 1 && !mayBeMixed)
    throw new TaskError(
      "media",
      `${uri} has ${tracks.length} tracks, and only files of one track are packaged as they lie`,
    );
  const timescale = parseTimescale(await payload(named(await within(named(await within(track), "mdia")), "mdhd")));
  if (!timescale) throw new TaskError("media", `${uri} does not say how its time is counted`);
  const usual = trackDefaults(await payload(named(await within(named(movie, "mvex")), "trex")));
  const segments: MediaIndex["segments"][number][] = [];
  let clock = 0;
  for (const [at, fragment] of fragments.entries()) {
    const boxes = await within(named(await within(fragment), "traf"));
    const own = fragmentDefaults(await payload(named(boxes, "tfhd"))) ?? usual;
    const start = startOfFragment(await payload(named(boxes, "tfdt"))) ?? clock;
    let duration = 0;
    for (const run of boxes.filter(({ type }) => type === "trun"))
      duration += durationOfRun(await payload(run), own ?? 0);
    const from = fragment.from - 8;
    const next = fragments[at + 1];
    segments.push({ from, length: (next ? next.from - 8 : endOf(top, fragment)) - from, start, duration });
    clock = start + duration;
  }
  const index = top.filter(({ type, from }) => type === "sidx" && from < first.from);
  const [only, second] = index;
  return {
    ...{ timescale, head: (only ?? first).from - 8, segments },
    ...(only && !second && { index: { from: only.from - 8, length: only.to - only.from + 8 } }),
  };
};

/** The last fragment ends with its media. */
const endOf = (top: readonly Box[], fragment: Box): number => {
  const at = top.indexOf(fragment);
  return top.slice(at).find(({ type }) => type === "mdat")?.to ?? fragment.to;
};
