import type { Clock } from "../../shared/clock.ts";
import type { Credential, CredentialKind, CredentialOf } from "../../shared/credentials.ts";
import type { ObjectOptions } from "../../shared/object-options.ts";
import type { Abilities } from "../../shared/storage.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { Roots } from "../roots.ts";
import type { HostKeys } from "./host-keys.ts";

/** What has a name. */
export type FileStat = {
  readonly isFile: boolean;
  readonly size: number;
  /** Milliseconds since 1970; 0 where the storage does not say. */
  readonly modified: number;
  /** The storage's own mark of this state of the file, such as an ETag. */
  readonly tag?: string;
};

/** A name in a folder; what is known of it where listing tells. */
export type Entry = { readonly name: string; readonly isFile: boolean; readonly seen?: FileStat };

/** Bytes of a file from one place on; without a length up to its end. */
export type ByteRange = { readonly from: number; readonly length?: number };

export type FileIdentity = { readonly size: number; readonly identity: string };

/** A finished file on its way from its temporary name to its final name. */
export type Move = FileIdentity & { readonly temp: string; readonly final: string };

export type Sending = {
  /** Where the file was made. */
  readonly path: string;
  /** `temp` is the proposed temporary name, for storage that lets the caller choose. */
  readonly move: Move;
  /** Attributes, rights and encryption, for storage that has such things. */
  readonly object?: ObjectOptions;
  /** Told an address that is another one before a byte is sent: what nobody knows of is never swept. */
  readonly opened: (address: string) => Promise<void>;
  readonly signal: AbortSignal;
  /** How many bytes have been sent. */
  readonly onBytes: (sent: number) => void;
};

/**
 * Files behind one kind of address: read as inputs, made and shown as outputs. All names are URIs. What goes wrong is
 * thrown as TaskError, in words that hold no credentials.
 */
export type Storage = {
  readonly abilities: Abilities;
  /** Where programs may read and write what has this address; absent where bytes only come and go as a whole. */
  readonly pathOf?: (uri: string) => string;
  /** Undefined where the name is free. */
  stat(uri: string): Promise<FileStat | undefined>;
  /** What is in a folder; of a missing one nothing. */
  list(folder: string): AsyncIterable<Entry>;
  /** Bytes as they come; breaks off with a StorageError, whoever reads goes on by `readResuming`. */
  read(uri: string, range: ByteRange, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Refuses a folder that may not be written to; makes nothing. */
  refuse(folder: string): Promise<void>;
  /** Creates a folder, in storage that has folders. */
  prepare(folder: string): Promise<void>;
  /** Whether a whole file of this identity waits there, or is seen. */
  holds(uri: string, identity: FileIdentity): Promise<boolean>;
  /** Takes away a file that is seen; nothing there is fine. */
  remove(uri: string): Promise<void>;
  /** Takes away a folder with all that is in it; nothing there is fine. */
  removeFolder(uri: string): Promise<void>;
  /** Sends a made file to where it waits unseen, durably; gives that address. The made file may be moved. */
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

/** What opens addresses: the credentials that came with an attempt. */
export type Keys = {
  /** Throws TaskError where what covers the address is for another kind of storage. */
  readonly of: <K extends CredentialKind>(uri: string, kind: K) => CredentialOf<K> | undefined;
  /** A text without any secret of these credentials. */
  readonly hide: (text: string) => string;
  readonly all: readonly Credential[];
};

export type StorageNeeds = {
  /** Uses the mounts that the attempt started with. */
  readonly locate: (uri: string) => string;
  readonly roots: Roots;
  readonly checkpoint: Checkpoint;
  readonly keys: Keys;
  readonly hostKeys: HostKeys;
  readonly clock: Clock;
};

/** A kind of storage: what it can do at best, and how it is opened. What is opened may declare less. */
export type Provider = { readonly abilities: Abilities; readonly open: (needs: StorageNeeds) => Storage };
