import { TaskError } from "../../causes.ts";
import { keyFileName, refuseContradictions, rotationOf } from "../../encryption/key-file.ts";
import type { Protection } from "../../encryption/protection.ts";
import { folderUri, joinUri } from "../../location.ts";
import { type ObjectOptions, objectOptionsOf } from "../../object-options.ts";
import { relativeUrl } from "../../relative-url.ts";
import type { Step } from "../../work.ts";
import type { Making } from "./plan.ts";
import type { Rendition } from "./renditions.ts";

/** A key of AES-128 that players fetch: its name in the attempt's folder (numbered where it is rotated), and where it goes. */
export type KeyFile = {
  readonly name: string;
  readonly folder: string;
  /** Its location's other fields. */
  readonly object?: ObjectOptions | undefined;
};

export type Encrypting = {
  readonly steps: readonly Step[];
  readonly keys: readonly KeyFile[];
  /** Keys that exist already: their addresses by the ids that steps use. */
  readonly assets: Readonly<Record<string, string>>;
};

/** One step for each key or set of keys, after the segments have been cut. */
export const encryptingSteps = (renditions: readonly Rendition[], making: Making): Encrypting => {
  const found = [...new Set(renditions.flatMap((each) => making.protection(each) ?? []))];
  const each = found.map((protection, index) => {
    const members = renditions.filter((rendition) => making.protection(rendition) === protection);
    return encrypting(protection, members, { ...making, index });
  });
  return {
    steps: each.map(({ step }) => step),
    keys: each.flatMap(({ key }) => key ?? []),
    assets: Object.fromEntries(each.flatMap(({ asset }) => (asset ? [asset] : []))),
  };
};

const encrypting = (
  protection: Protection,
  members: readonly Rendition[],
  making: Making & { readonly index: number },
) => {
  const { written, key, iv } = protection;
  refuse(protection, making);
  const { index, names } = making;
  const isExternal = written.external_key_file === true;
  const rotation = rotationOf(protection);
  const { prefix, ...file } = keyPlaceOf(protection, making, rotation > 0);
  const id = `key_${index}`;
  const step: Step = {
    ...{ do: "encrypt_segments", id: `encrypt_${index}`, playlists: members.map((each) => names(each).playlist) },
    ...(isExternal ? { key: { asset: id } } : key !== undefined && { key }),
    ...(iv !== undefined && { iv }),
    ...(rotation > 0 && { rotation }),
    ...{ keyFile: file.name, url: `${prefix}{key_file}` },
  };
  return {
    step,
    key: isExternal ? undefined : file,
    asset: isExternal ? ([id, joinUri(file.folder, file.name)] as const) : undefined,
  };
};

/** A key's file, and the address of its folder in playlists. */
export const keyPlaceOf = (
  protection: Protection,
  making: Making & { readonly index: number },
  isRotated: boolean,
): KeyFile & { readonly prefix: string } => {
  const { places, index, sourceName, context } = making;
  const { written, path } = protection;
  // One of several keys has the number of its entry in its name.
  const usual = index === 0 ? "segments.key" : `segments_${index}.key`;
  const folder = written.key_location
    ? folderUri(written.key_location, places.media, `${path}.key_location`)
    : places.media;
  return {
    ...{ name: keyFileName(protection, { usual, sourceName, jobId: context.job.id, isRotated }), folder },
    object: objectOptionsOf(written.key_location, `${path}.key_location`),
    prefix: relativeUrl(places.playlists, folder) ?? "",
  };
};

const refuse = (protection: Protection, { shape }: Making): void => {
  const { written, path } = protection;
  if (written.schema !== "aes-128-cbc")
    throw new TaskError(
      "capability",
      `${path}.schema "${written.schema}" needs media with one kind of stream each, and ${shape.mode} has both`,
    );
  if (!shape.isSegmented)
    throw new TaskError("definition", `${path}: AES-128 encrypts whole segments, which single_ts does not have`);
  refuseContradictions(protection);
};
