import type { Abilities } from "../../shared/storage.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { Roots } from "../roots.ts";

/** A file or folder that exists. */
export type FileStat = { readonly isFile: boolean; readonly size: number; readonly modified: number };

export type FileIdentity = { readonly size: number; readonly identity: string };

/** A finished file on its way from its temporary name to its final name. */
export type Move = FileIdentity & { readonly temp: string; readonly final: string };

export type Sending = {
  /** Where the file was made. */
  readonly path: string;
  /** `temp` is the proposed temporary name, for storage that lets the caller choose. */
  readonly move: Move;
  /** Called before the first byte if the storage uses another address: only known addresses are swept. */
  readonly opened: (address: string) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onBytes: () => void;
};

/** The operations on one kind of storage that making and publishing outputs needs. All names are URIs. */
export type Storage = {
  readonly abilities: Abilities;
  /** The path where programs can write this address. Absent if only whole files can be sent. */
  readonly pathOf?: (uri: string) => string;
  /** Throws if the folder may not be written to. Creates nothing. */
  refuse(folder: string): Promise<void>;
  /** Creates a folder, in storage that has folders. */
  prepare(folder: string): Promise<void>;
  /** Undefined if the name is free. */
  stat(uri: string): Promise<FileStat | undefined>;
  /** Whether a complete file of this identity is there, hidden or published. */
  holds(uri: string, identity: FileIdentity): Promise<boolean>;
  /** Names in a folder; none if the folder is missing. */
  list(folder: string): Promise<readonly string[]>;
  /** Deletes a published file. Does nothing if it does not exist. */
  remove(uri: string): Promise<void>;
  /** Durably stores a made file under a hidden address and returns it. May move the made file. */
  stage(sending: Sending): Promise<string>;
  /** Deletes a hidden file. Leaves anything else with that address alone. */
  discard(address: string): Promise<void>;
  /** Whether this very move created the file with the final name, complete or not. */
  isOurs(move: Move): Promise<boolean>;
  /** Publishes the file and replaces any file of that name. Safe to repeat. */
  replace(move: Move): Promise<void>;
  /** Publishes the file only if its name is free. Present with the ability `createOnly`. */
  readonly create?: (move: Move) => Promise<"created" | "taken">;
  /** Renames an existing file; false if the new name is taken. Present with the ability `rename`. */
  readonly setAside?: (uri: string, to: string) => Promise<boolean>;
};

export type StorageNeeds = {
  /** Uses the mounts that the attempt started with. */
  readonly locate: (uri: string) => string;
  readonly roots: Roots;
  readonly checkpoint: Checkpoint;
};

/** A kind of storage: what it can do, and how it is opened. */
export type Provider = { readonly abilities: Abilities; readonly open: (needs: StorageNeeds) => Storage };
