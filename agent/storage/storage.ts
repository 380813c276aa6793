import type { Abilities } from "../../shared/storage.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { Roots } from "../roots.ts";

/** What has a name. */
export type FileStat = { readonly isFile: boolean; readonly size: number; readonly modified: number };

export type FileIdentity = { readonly size: number; readonly identity: string };

/** A finished file between the unseen place where it waits and its name. */
export type Move = FileIdentity & { readonly temp: string; readonly final: string };

export type Sending = {
  /** Where the file was made. */
  readonly path: string;
  /** `temp` is where it is to wait, for storage that leaves the choice. */
  readonly move: Move;
  /** Told an address that is another one before a byte is sent: what nobody knows of is never swept. */
  readonly opened: (address: string) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onBytes: () => void;
};

/** Files behind one kind of address, as far as making and showing outputs needs them. All names are URIs. */
export type Storage = {
  readonly abilities: Abilities;
  /** Where programs may write what has this address; absent where only whole files can be sent there. */
  readonly pathOf?: (uri: string) => string;
  /** Refuses a folder that may not be written to; makes nothing. */
  refuse(folder: string): Promise<void>;
  /** Makes a folder where folders are things of their own. */
  prepare(folder: string): Promise<void>;
  /** Undefined where the name is free. */
  stat(uri: string): Promise<FileStat | undefined>;
  /** Whether a whole file of this identity waits there, or is seen. */
  holds(uri: string, identity: FileIdentity): Promise<boolean>;
  /** Names in a folder; of a missing one none. */
  list(folder: string): Promise<readonly string[]>;
  /** Takes away a file that is seen; nothing there is fine. */
  remove(uri: string): Promise<void>;
  /** Sends a made file to where it waits unseen, durably; gives that address. The made file may be moved. */
  stage(sending: Sending): Promise<string>;
  /** Takes away what waits unseen. Anything else that has the address is left alone. */
  discard(address: string): Promise<void>;
  /** Whether what has the final name was put there by this very move, be it in part. */
  isOurs(move: Move): Promise<boolean>;
  /** Shows the file, whatever has its name; safe to repeat. */
  replace(move: Move): Promise<void>;
  /** Shows the file only if its name is free. There with the ability `createOnly`. */
  readonly create?: (move: Move) => Promise<"created" | "taken">;
  /** Gives what has the name another one; false where that is taken. There with the ability `rename`. */
  readonly setAside?: (uri: string, to: string) => Promise<boolean>;
};

export type StorageNeeds = {
  /** By the mounts with which the attempt began. */
  readonly locate: (uri: string) => string;
  readonly roots: Roots;
  readonly checkpoint: Checkpoint;
};

/** A kind of storage: what it can do, and how it is opened. */
export type Provider = { readonly abilities: Abilities; readonly open: (needs: StorageNeeds) => Storage };
