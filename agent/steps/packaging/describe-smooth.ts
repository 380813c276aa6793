import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TaskError } from "../../shared/causes.ts";
import { clientManifest, type SmoothMedia, serverManifest, smoothStreams } from "../../shared/packaging/smooth.ts";
import { smoothCodecOf } from "../../shared/packaging/smooth-codec.ts";
import type { SmoothTrack } from "../../shared/steps/describe-smooth.ts";
import { readMediaIndex } from "../media-index.ts";
import { boxesWithin, boxReaderOf, named } from "../mp4-boxes.ts";
import { readAtOf } from "../read-at.ts";
import type { Performer } from "./step.ts";

/** Writes the manifests of Smooth Streaming over files of the attempt's folder. */
export const performDescribeSmooth: Performer<"describe_smooth"> = async (step, { scratch, log, signal }) => {
  const media: SmoothMedia[] = [];
  for (const track of step.tracks) {
    signal.throwIfAborted();
    const path = join(scratch, track.file);
    media.push({ track, index: await readMediaIndex(path, track.file), codec: await codecIn(path, track) });
  }
  const streams = smoothStreams(media);
  const write = (name: string, text: string) => writeFile(join(scratch, name), text, { flag: "wx" });
  await write(step.client, clientManifest(streams));
  await write(step.server, serverManifest(streams, step.clientUrl));
  log.line(`described ${media.length} tracks for Smooth Streaming`);
};

const mostBytes = 4 * 1024 * 1024;

const codecIn = async (path: string, { file: name }: SmoothTrack) => {
  await using file = await open(path, "r");
  const readAt = readAtOf(file);
  const { within, payload } = boxReaderOf(readAt, mostBytes);
  let boxes = await boxesWithin(readAt, 0, (await file.stat()).size);
  for (const type of ["moov", "trak", "mdia", "minf", "stbl"]) boxes = await within(named(boxes, type));
  const stsd = await payload(named(boxes, "stsd"));
  const codec = stsd && smoothCodecOf(stsd);
  if (!codec) throw new TaskError("media", `${name} has a codec that manifests of Smooth Streaming cannot name`);
  return codec;
};
