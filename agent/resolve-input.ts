import { readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { TaskError } from "../shared/causes.ts";
import { joinedInput } from "../shared/ffmpeg/opening.ts";
import { numbersOf } from "../shared/image-sequence.ts";
import type { WorkAsset } from "../shared/work.ts";
import type { ResolvedFile, ResolvedInput } from "./path-resolver.ts";
import type { Roots } from "./roots.ts";

/** Resolves an asset to the files to read on this node, all within the roots. */
export const resolveInput = async (
  asset: WorkAsset,
  locate: (uri: string) => string,
  roots: Roots,
  listPath: string,
): Promise<ResolvedInput> => {
  const { uri, pieces, images } = asset;
  if (images) return resolveImages(uri, locate(uri), images, roots);
  if (!pieces) {
    const file = await resolveFile(locate(uri), roots);
    return { uri, path: file.path, files: [file] };
  }
  const known = new Map<string, ResolvedFile>();
  const files: ResolvedFile[] = [];
  for (const { uri: each, from, length } of pieces) {
    const place = known.get(each) ?? (await resolveFile(locate(each), roots));
    known.set(each, place);
    files.push({ ...place, from, length });
  }
  return { uri, ...joinedInput(files, listPath), files };
};

/** The total size and latest change of an asset that may still be arriving; undefined while any file is missing. */
export const statSource = async (
  asset: WorkAsset,
  locate: (uri: string) => string,
  roots: Roots,
): Promise<ResolvedFile | undefined> => {
  const { uri, pieces, images } = asset;
  const paths = [...new Set(pieces?.map((piece) => locate(piece.uri)) ?? [locate(uri)])];
  for (const path of images ? paths.map(dirname) : paths) if (!(await roots.ifThere(path))) return undefined;
  if (images && !numbersOf(basename(locate(uri)), await readdir(dirname(locate(uri)))).has(images.first))
    return undefined;
  const { files } = await resolveInput(asset, locate, roots, "");
  const [first] = files;
  return (
    first && {
      path: first.path,
      size: sum(files.map(({ size }) => size)),
      modified: Math.max(...files.map(({ modified }) => modified)),
    }
  );
};

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** An existing regular file. */
export const resolveFile = async (asked: string, roots: Roots): Promise<ResolvedFile> => {
  const path = await roots.existing(asked);
  const stats = await stat(path);
  if (stats.isFile()) return { path, size: stats.size, modified: Math.floor(stats.mtimeMs) };
  throw new TaskError("source", `${asked} is ${stats.isDirectory() ? "a folder, not a file" : "not a regular file"}`);
};

/** Images from the first number on, until one is missing or the known count is reached. */
const resolveImages = async (
  uri: string,
  asked: string,
  images: NonNullable<WorkAsset["images"]>,
  roots: Roots,
): Promise<ResolvedInput> => {
  const folder = await roots.existing(dirname(asked));
  const pattern = basename(asked);
  const names = numbersOf(pattern, await readdir(folder));
  const files: ResolvedFile[] = [];
  for (let number = images.first; files.length < (images.count ?? Number.POSITIVE_INFINITY); number += 1) {
    const name = names.get(number);
    if (name === undefined) break;
    files.push(await resolveFile(join(folder, name), roots));
  }
  if (files.length < (images.count ?? 1)) {
    throw new TaskError("source", `${asked}: image number ${images.first + files.length}`);
  }
  // ffmpeg would read a % in the folder's name as a number too.
  return { uri, path: join(folder.replaceAll("%", "%%"), pattern), files };
};
