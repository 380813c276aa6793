import { type Mount, mountOf } from "../../shared/files/mounts.ts";
import { type StorageKind, schemeOf, storageKinds } from "../../shared/files/storage.ts";
import { file } from "./file/index.ts";
import { ftp } from "./ftp/index.ts";
import { http } from "./http/index.ts";
import { s3 } from "./s3/index.ts";
import { sftp } from "./sftp/index.ts";
import type { Provider, Storage, StorageNeeds } from "./storage.ts";
import { swift } from "./swift/index.ts";

/**
 * All storage kinds. The scheme of an address determines its kind; an address covered by a mount is a local file,
 * whatever its scheme.
 */
export const providers: Readonly<Record<StorageKind, Provider>> = { file, http, ftp, sftp, s3, swift };

export type Providers = Readonly<Record<string, Provider>>;

/** The storage of an address. Addresses of kinds without a provider are refused when first used. */
export type StorageOf = (uri: string) => Storage;

type Opening = StorageNeeds & { readonly mounts: readonly Mount[]; readonly providers: Providers };

export const openStorages = ({ mounts, providers: known, ...needs }: Opening): StorageOf => {
  const local = file.open(needs);
  const opened = new Map<string, Storage>();
  for (const [kind, { open }] of Object.entries(known)) {
    const storage = kind === "file" ? local : open(needs);
    for (const scheme of schemesOf(kind)) opened.set(scheme, storage);
  }
  return (uri) => (mountOf(uri, mounts) ? undefined : opened.get(schemeOf(uri))) ?? local;
};

const kinds: Readonly<Record<string, { readonly schemes: readonly string[] }>> = storageKinds;

/** A kind that is not in the table is a kind of its own, with one scheme. */
const schemesOf = (kind: string): readonly string[] => kinds[kind]?.schemes ?? [kind];

/** The storage capabilities that a node declares. */
export const storageCapabilities = (known: Providers): string[] => Object.keys(known).map((kind) => `storage:${kind}`);
