import { joinUri } from "../../../shared/files/location.ts";
import { placeOf } from "../../../shared/files/place.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import type { Step } from "../../../shared/work/work.ts";
import { keyFileName, refuseContradictions, rotationOf } from "../../encryption/key-file.ts";
import type { Protection } from "../../encryption/protection.ts";
import { relativeUrl } from "../../formats/relative-url.ts";
import type { KeyFile, PackagingContext } from "./packaging.ts";
import type { Rendition } from "./renditions.ts";

export type Encrypting = {
  readonly steps: readonly Step[];
  readonly keys: readonly KeyFile[];
  /** Keys that exist already: their addresses by the ids that steps use. */
  readonly assets: Readonly<Record<string, string>>;
};

/** One step for each key or set of keys, after the segments have been cut. */
export const encryptingSteps = (renditions: readonly Rendition[], making: PackagingContext): Encrypting => {
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
  making: PackagingContext & { readonly index: number },
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
    ...{ key: isExternal ? { asset: id } : key, iv, ...(rotation > 0 && { rotation }) },
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
  making: PackagingContext & { readonly index: number },
  isRotated: boolean,
): KeyFile & { readonly prefix: string } => {
  const { places, index, sourceName, context } = making;
  const { written, path } = protection;
  // One of several keys has the number of its entry in its name.
  const usual = index === 0 ? "segments.key" : `segments_${index}.key`;
  const place = placeOf(written.key_location, places.media, `${path}.key_location`);
  return {
    ...{ name: keyFileName(protection, { usual, sourceName, jobId: context.job.id, isRotated }), ...place },
    prefix: relativeUrl(places.playlists, place.folder) ?? "",
  };
};

const refuse = (protection: Protection, { shape }: PackagingContext): void => {
  const { written, path } = protection;
  if (written.schema !== "aes-128-cbc")
    throw capabilityError(
      `${path}.schema "${written.schema}" needs media with one kind of stream each, and ${shape.mode} has both`,
    );
  if (!shape.isSegmented)
    throw definitionError(`${path}: AES-128 encrypts whole segments, which single_ts does not have`);
  refuseContradictions(protection);
};
