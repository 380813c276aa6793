import { copyFile, lstat, mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { codecParameters } from "../../../media/packaging/codec-parameter.ts";
import { type Measured, masterPlaylist } from "../../../media/packaging/master.ts";
import { measurePlaylist, sharedTarget, withTarget } from "../../../media/packaging/measure-playlist.ts";
import { mapOf, withReadCodecs } from "../../../media/packaging/read-codecs.ts";
import { rewriteManifest } from "../../../media/packaging/rewrite.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { isFolder } from "../../../shared/work/work.ts";
import { hasCode } from "../../disk/file-system.ts";
import { listSequence } from "../../disk/numbered-names.ts";
import { pathOfDescriptor } from "../../roots/checked-file.ts";
import { openMade } from "../../roots/open-made.ts";
import { outputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";

/** A manifest is text; a larger file is not one. */
const largestManifest = 64 * 1024 * 1024;

/** Moves media to their outputs, and writes manifests with the final addresses of the files. */
export const performPlace: Performer<"place"> = async (step, context) => {
  const { scratch } = context;
  const sizes = await sizesIn(scratch);
  const playlists = new Map<string, string>();
  for (const { from, rewriting } of step.manifests)
    if (rewriting.as === "hls") playlists.set(from, await readManifest(join(scratch, from)));
  const target = step.master ? sharedTarget([...playlists.values()]) : 0;
  const codecs = step.master ? await codecsOf(playlists, scratch) : new Map<string, string[]>();
  for (const { from, to } of step.moves) await moveAll(from, to, context);
  for (const { from, to, rewriting } of step.manifests) {
    const text = withTarget(playlists.get(from) ?? (await readManifest(join(scratch, from))), target);
    await writeFile(outputNamed(to, context).made, rewriteManifest(text, rewriting), { flag: "wx" });
  }
  if (step.master) {
    const { to, recipe, rewriting } = step.master;
    const measured = measureAll(playlists, sizes);
    const text = rewriteManifest(masterPlaylist(withReadCodecs(recipe, codecs), measured), rewriting);
    await writeFile(outputNamed(to, context).made, text, { flag: "wx" });
  }
};

const sizesIn = async (folder: string): Promise<Map<string, number>> => {
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, (await lstat(join(folder, name))).size] as const)));
};

const measureAll = (playlists: ReadonlyMap<string, string>, sizes: ReadonlyMap<string, number>) =>
  new Map(
    [...playlists].map(([name, text]): [string, Measured] => [
      name,
      measurePlaylist(text, (file) => sizes.get(file) ?? 0),
    ]),
  );

/** Codecs as the headers of the media configure them, by the playlists that name the headers. */
const codecsOf = async (playlists: ReadonlyMap<string, string>, scratch: string): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>();
  for (const [name, text] of playlists) {
    const map = mapOf(text);
    if (!map) continue;
    await using file = await openMade(scratch, map.name);
    if (!file) continue;
    const { size } = await file.stat();
    const header = Buffer.alloc(Math.min(map.length ?? size, largestHeader));
    await file.read(header, 0, header.length, map.from);
    found.set(name, codecParameters(header));
  }
  return found;
};

/** The header of a rendition is small, and lies at the beginning. */
const largestHeader = 4 * 1024 * 1024;

const readManifest = async (path: string): Promise<string> => {
  await using file = await openMade(dirname(path), basename(path));
  if (!file) throw new TaskError("media", `${basename(path)} was not made`);
  const { size } = await file.stat();
  if (size > largestManifest)
    throw new TaskError("resources", `${basename(path)} has ${size} bytes, more than a manifest may`);
  return file.readFile("utf8");
};

const moveAll = async (from: string, to: string, context: StepContext): Promise<void> => {
  const { scratch } = context;
  const { made, output } = outputNamed(to, context);
  if (!isFolder(output)) {
    await move(join(scratch, from), made);
    return;
  }
  await mkdir(made, { recursive: true });
  const names = listSequence(await readdir(scratch), from);
  if (names.length === 0) throw new TaskError("media", `${from} was not made`);
  for (const name of names) await move(join(scratch, name), join(made, name));
};

const move = async (from: string, to: string): Promise<void> => {
  await using file = await openMade(dirname(from), basename(from));
  if (!file) throw new TaskError("media", `${basename(from)} was not made`);
  try {
    await rename(from, to);
  } catch (error) {
    if (hasCode(error, "ENOENT")) throw new TaskError("media", `${basename(from)} was not made`);
    if (!hasCode(error, "EXDEV")) throw error;
    await copyFile(pathOfDescriptor(file, from), to); // the target is on another file system; the attempt's folder is deleted with the attempt
  }
};
