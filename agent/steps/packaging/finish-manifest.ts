import { appendFile, mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mainVideo } from "../../../media/formats/stream-timing.ts";
import { type Lasting, withDurations } from "../../../media/manifests/dash-durations.ts";
import { codecParameters } from "../../../media/packaging/codec-parameter.ts";
import { completeDash, firstFiles, headerFiles, withCodecs } from "../../../media/packaging/complete-dash.ts";
import type { Announced } from "../../../media/packaging/dash-set.ts";
import { finished } from "../../../media/packaging/finished-manifest.ts";
import { probedVideo } from "../../../media/packaging/probed-media.ts";
import { type IndexPlace, listedFiles, withSegmentBases } from "../../../media/packaging/segment-base.ts";
import type { MediaFacts } from "../../../shared/model/asset.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { readMediaIndex } from "../../formats/media-index.ts";
import { outputNamed, requireNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";

/** Reads where each file of the manifest has its index, where it is asked to, and writes the manifest again. */
export const performFinishManifest: Performer<"finish_manifest"> = async ({ of, isIndexed, ...said }, context) => {
  const { made, output } = outputNamed(of, context);
  const path = join(made, output.name);
  const manifest = await readFile(path, "utf8");
  const { indexed, files } = isIndexed ? await withIndexes(manifest, made) : { indexed: manifest, files: [] };
  const pictures = seenIn(await firstFacts(firstFiles(manifest), made, context));
  const codecs = await Promise.all(headerFiles(manifest).map((name) => codecIn(made, name)));
  await writeFile(path, finished(withCodecs(withDurations(completeDash(indexed, pictures), files), codecs), said));
  context.log.line(`${output.name} is complete`);
};

/** A header is far smaller; what is behind it is not read. */
const mostHeader = 1024 * 1024;

/** What the header of a file says of its only track. */
const codecIn = async (folder: string, name: string): Promise<string | undefined> => {
  if (name === "") return undefined;
  const file = await open(join(folder, name));
  try {
    const bytes = Buffer.alloc(Math.min(mostHeader, (await file.stat()).size));
    await file.read(bytes, 0, bytes.length, 0);
    return codecParameters(bytes)[0];
  } finally {
    await file.close();
  }
};

/** What must be said of pictures is seen in the first of them. */
const seenIn = (facts: MediaFacts): Announced => {
  const picture = mainVideo(facts);
  if (!picture) return {};
  const { transfer, hasCaptions } = probedVideo(picture);
  return { transfer, captions: hasCaptions ? ["CC1"] : [] };
};

/** The facts of a file, or of a header and the segment behind it. */
const firstFacts = async (names: readonly string[], made: string, { scratch, tools, signal }: StepContext) => {
  const [only = "", segment] = names.map((name) => join(made, name));
  const probe = async (path: string) =>
    tools.probe({ path, size: (await stat(path)).size, name: path, signal, peek: true });
  if (segment === undefined) return probe(only);
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const path = join(scratch, "first_pictures.mp4");
  await writeFile(path, await readFile(only));
  await appendFile(path, await readFile(segment));
  const facts = await probe(path);
  await rm(path);
  return facts;
};

const withIndexes = async (manifest: string, folder: string) => {
  const names = listedFiles(manifest);
  const places = await Promise.all(names.map(async (name) => [name, await indexIn(join(folder, name), name)] as const));
  const found = new Map(places);
  const indexed = withSegmentBases(manifest, (name) => requireNamed(found.get(name), name));
  return { indexed, files: [...found.values()] };
};

const indexIn = async (path: string, name: string): Promise<IndexPlace & Lasting> => {
  const { head, index, segments, timescale } = await readMediaIndex(path, name);
  if (!index) throw new TaskError("media", `${name} was made without an index`);
  const end = Math.max(0, ...segments.map(({ start, duration }) => start + duration)) / timescale;
  return { head, ...index, end, longest: Math.max(0, ...segments.map(({ duration }) => duration)) / timescale };
};
