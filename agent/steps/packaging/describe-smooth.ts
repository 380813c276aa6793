import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { clientManifest, type SmoothMedia, serverManifest, smoothStreams } from "../../../media/packaging/smooth.ts";
import { parseSmoothCodec } from "../../../media/packaging/smooth-codec.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { SmoothTrack } from "../../../shared/work/media-steps/describe-smooth.ts";
import { createReadAt } from "../../disk/read-at.ts";
import { readMediaIndex } from "../../formats/media-index.ts";
import { boxesWithin, createBoxReader, named } from "../../formats/mp4-boxes.ts";
import type { Performer } from "../step.ts";

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
  const readAt = createReadAt(file);
  const { within, payload } = createBoxReader(readAt, mostBytes);
  let boxes = await boxesWithin(readAt, 0, (await file.stat()).size);
  for (const type of ["moov", "trak", "mdia", "minf", "stbl"]) boxes = await within(named(boxes, type));
  const stsd = await payload(named(boxes, "stsd"));
  const codec = stsd && parseSmoothCodec(stsd);
  if (!codec) throw new TaskError("media", `${name} has a codec that manifests of Smooth Streaming cannot name`);
  return codec;
};
