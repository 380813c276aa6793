import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TaskError } from "../../shared/causes.ts";
import { dashManifest, type Indexed } from "../../shared/packaging/dash-manifest.ts";
import { mediaPlaylist, textPlaylist } from "../../shared/packaging/media-index.ts";
import type { DescribedMedia } from "../../shared/steps/describe-media.ts";
import { readMediaIndex } from "../media-index.ts";
import type { Performer, StepContext } from "./step.ts";

/** Reads where the fragments of each file lie, and writes manifests over them. */
export const performDescribeMedia: Performer<"describe_media"> = async ({ media, mpd }, context) => {
  const { scratch, log, signal } = context;
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const indexed: Indexed[] = [];
  for (const each of media) {
    signal.throwIfAborted();
    const index = each.kind === "text" ? undefined : await indexOf(each, context);
    indexed.push({ media: each, index });
    const text = index ? mediaPlaylist(index, each.hlsUrl) : textPlaylist(each.hlsUrl, each.seconds ?? 0);
    if (each.playlist) await writeFile(join(scratch, each.playlist), text, { flag: "wx" });
  }
  if (mpd) await writeFile(join(scratch, mpd), dashManifest(indexed), { flag: "wx" });
  log.line(`described ${media.length} files as they lie`);
  return undefined;
};

const indexOf = ({ asset }: DescribedMedia, { paths }: StepContext) => {
  const input = paths.inputs.get(asset);
  if (!input) throw new TaskError("definition", `A step names asset ${asset}, which the task does not have`);
  return readMediaIndex(input.path, input.uri);
};
