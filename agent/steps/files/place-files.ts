import { copyFile, lstat, mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Measured, masterPlaylist, measurePlaylist } from "../../../media/packaging/master.ts";
import { rewriteManifest } from "../../../media/packaging/rewrite.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { isFolder, type StepOf } from "../../../shared/work/work.ts";
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
  const measured = step.master ? await measureAll(step, scratch, sizes) : new Map<string, Measured>();
  for (const { from, to } of step.moves) await moveAll(from, to, context);
  for (const { from, to, rewriting } of step.manifests) {
    const text = await readManifest(join(scratch, from));
    await writeFile(outputNamed(to, context).made, rewriteManifest(text, rewriting), { flag: "wx" });
  }
  if (step.master) {
    const { to, recipe, rewriting } = step.master;
    const text = rewriteManifest(masterPlaylist(recipe, measured), rewriting);
    await writeFile(outputNamed(to, context).made, text, { flag: "wx" });
  }
};

const sizesIn = async (folder: string): Promise<Map<string, number>> => {
  const names = await readdir(folder);
  return new Map(await Promise.all(names.map(async (name) => [name, (await lstat(join(folder, name))).size] as const)));
};

const measureAll = async ({ manifests }: StepOf<"place">, scratch: string, sizes: ReadonlyMap<string, number>) => {
  const measured = new Map<string, Measured>();
  for (const { from, rewriting } of manifests) {
    if (rewriting.as !== "hls") continue;
    const text = await readManifest(join(scratch, from));
    measured.set(
      from,
      measurePlaylist(text, (name) => sizes.get(name) ?? 0),
    );
  }
  return measured;
};

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
