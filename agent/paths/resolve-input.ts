import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { joinedInput } from "../../media/ffmpeg/opening-args.ts";
import { numbersOf } from "../../media/formats/image-sequence.ts";
import { joinUri, nameOf } from "../../shared/files/location.ts";
import { sourceError } from "../../shared/model/failure.ts";
import type { WorkAsset } from "../../shared/work/work.ts";
import { namesIn } from "../storage/listing-limits.ts";
import { type FileNeeds, isThere, type Reader, resolveFile } from "./resolve-file.ts";
import type { ResolvedFile, ResolvedInput } from "./resolved-paths.ts";

/** Names in the attempt's own folder for files that must be written before programs can read an input. */
export type OwnNames = { readonly list: string; readonly pictures: string };

/** Resolves where this node reads an asset: every local file that it refers to is within the roots. */
export const resolveInput = async (
  asset: WorkAsset,
  own: OwnNames,
  reader: Reader,
  needs: FileNeeds,
): Promise<ResolvedInput> => {
  const { uri, pieces, images } = asset;
  if (images) return resolveImages(uri, images, own, reader, needs);
  if (!pieces) {
    const file = await resolveFile(uri, reader, needs);
    return { uri, path: file.path, files: [file] };
  }
  const known = new Map<string, ResolvedFile>();
  const files: ResolvedFile[] = [];
  for (const { uri: each, from, length } of pieces) {
    const place = known.get(each) ?? (await resolveFile(each, reader, needs));
    known.set(each, place);
    files.push({ ...place, from, length });
  }
  return { uri, ...joinedInput(files, own.list), files };
};

/** The total size of an asset's files that may still be growing; undefined while any of them is missing. */
export const statSource = async (asset: WorkAsset, needs: FileNeeds): Promise<ResolvedFile | undefined> => {
  const { uri, pieces, images } = asset;
  const uris = [...new Set(pieces?.map((piece) => piece.uri) ?? [uri])];
  for (const each of images ? uris.map(folderOf) : uris) if (!(await isThere(each, needs))) return undefined;
  if (images && !numbersOf(nameOf(uri), await listed(folderOf(uri), needs)).has(images.first)) return undefined;
  const looking: Reader = { fetches: false, user: "", signal: new AbortController().signal };
  const { files } = await resolveInput(asset, { list: "", pictures: "" }, looking, needs);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  return files[0] && { ...files[0], size, modified: Math.max(...files.map(({ modified }) => modified)) };
};

const folderOf = (uri: string): string => uri.slice(0, uri.lastIndexOf("/"));

const listed = (folder: string, { storageOf }: FileNeeds): Promise<string[]> =>
  namesIn(folder, storageOf(folder).list(folder));

type Images = NonNullable<WorkAsset["images"]>;

/** Pictures from the first one up to the first gap, or as many as were counted before. */
const resolveImages = async (
  uri: string,
  images: Images,
  own: OwnNames,
  reader: Reader,
  needs: FileNeeds,
): Promise<ResolvedInput> => {
  const isLocal = needs.storageOf(uri).pathOf !== undefined;
  const pattern = nameOf(uri); // not the path's last part: a mount would take its %04 for the code of a character
  const folder = folderOf(uri);
  if (isLocal) await needs.roots.existing(dirname(needs.locate(uri)));
  const names = numbersOf(pattern, await listed(folder, needs));
  const files: ResolvedFile[] = [];
  const shown: string[] = [];
  for (let number = images.first; files.length < (images.count ?? Number.POSITIVE_INFINITY); number += 1) {
    const name = names.get(number);
    if (name === undefined) break;
    files.push(await resolveFile(joinUri(folder, name), reader, needs));
    shown.push(name);
  }
  if (files.length < (images.count ?? 1)) {
    const what = isLocal ? needs.locate(uri) : uri;
    throw sourceError(`${what}: there is no picture number ${images.first + files.length}`);
  }
  const isInPlace = isLocal && !files.some(({ name }) => name !== undefined);
  const path = isInPlace
    ? await needs.roots.existing(dirname(needs.locate(uri)))
    : await lineUp(own.pictures, files, shown, reader);
  // ffmpeg would also interpret a % in the folder's name as a number.
  return { uri, path: join(path.replaceAll("%", "%%"), pattern), files };
};

/** Copies are anywhere in the cache, and held files elsewhere; links with the numbered names that ffmpeg looks for point to them. */
const lineUp = async (
  folder: string,
  files: readonly ResolvedFile[],
  names: readonly string[],
  { fetches }: Reader,
): Promise<string> => {
  if (!fetches) return folder;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const [index, { path }] of files.entries()) await symlink(path, join(folder, names[index] ?? ""));
  return folder;
};
