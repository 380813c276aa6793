import { mountOf } from "../../shared/mounts.ts";
import type { Mount } from "../../shared/protocol.ts";
import { file } from "./file/index.ts";
import type { Provider, Storage, StorageNeeds } from "./storage.ts";

/** By the scheme of an address. What a mount covers is a local file, whatever its scheme is. */
export const providers: Providers = { file };

export type Providers = Readonly<Record<string, Provider>>;

/** The storage of an address. Addresses of kinds that nobody provides are refused in words as soon as they are used. */
export type StorageOf = (uri: string) => Storage;

type Opening = StorageNeeds & { readonly mounts: readonly Mount[]; readonly providers: Providers };

export const openStorages = ({ mounts, providers: known, ...needs }: Opening): StorageOf => {
  const local = file.open(needs);
  const opened = new Map(Object.entries(known).map(([scheme, { open }]) => [scheme, open(needs)]));
  return (uri) => {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase() ?? "";
    return (mountOf(uri, mounts) ? undefined : opened.get(scheme)) ?? local;
  };
};
