import type { Clock } from "../../shared/basics/clock.ts";
import type { Credential, CredentialKind, CredentialOf } from "../../shared/credentials/credentials.ts";
import type { ObjectOptions } from "../../shared/files/object-options.ts";
import type { Abilities } from "../../shared/files/storage.ts";
import type { Checkpoint } from "../checkpoint.ts";
import type { ReadForeign } from "../foreign/pool.ts";
import type { Guard } from "../outbound/guard.ts";
import type { Roots } from "../roots/roots.ts";
import type { Pace } from "./byte-throttle.ts";
import type { HostKeys } from "./host-keys.ts";
import type { Patience } from "./retry.ts";

/** The properties of a file or folder. */
export type FileStat = {
  readonly isFile: boolean;
  readonly size: number;
  /** Unix milliseconds; 0 if the storage does not report it. */
  readonly modified: number;
  /** The storage's own tag of this state of the file, such as an ETag. */
  readonly tag?: string;
};

/** A name in a folder, with the properties that listing reports. */
export type Entry = { readonly name: string; readonly isFile: boolean; readonly seen?: FileStat };

/** Bytes of a file from an offset; without a length, up to its end. */
export type ByteRange = { readonly from: number; readonly length?: number };

export type FileIdentity = { readonly size: number; readonly identity: string };

/** A finished file on its way from its temporary name to its final name. */
export type Move = FileIdentity & { readonly temp: string; readonly final: string };

export type Sending = {
  /** Where the file was made. */
  readonly path: string;
  /** `temp` is the proposed temporary name, for storage that lets the caller choose. */
  readonly move: Move;
  /** Attributes, permissions and encryption, for storage that supports them. */
  readonly object?: ObjectOptions;
  /** Called with a different address before any byte is sent: unknown addresses would never be swept. */
  readonly opened: (address: string) => Promise<void>;
  readonly signal: AbortSignal;
  /** How fast it may be sent. */
  readonly pace: Pace;
  /** The number of bytes sent. */
  readonly onBytes: (sent: number) => void;
  /** Called at every break that is repaired. */
  readonly onBreak: (words: string) => void;
};

/**
 * Files behind one kind of address: read as inputs, made and published as outputs. All names are URIs. Errors are
 * thrown as TaskError, with messages that contain no credentials.
 */
export type Storage = {
  readonly abilities: Abilities;
  /** How long whoever reads from it tries again. */
  readonly patience?: Patience;
  /** The local path for this address, if programs can use it; absent if bytes can only be transferred. */
  readonly pathOf?: (uri: string) => string;
  /** Undefined if the name is free. */
  stat(uri: string): Promise<FileStat | undefined>;
  /** The contents of a folder; nothing if it does not exist. */
  list(folder: string): AsyncIterable<Entry>;
  /**
   * Bytes as a stream, each piece valid until the next one is asked for; fails with a StorageError, and callers resume
   * with `readResuming`.
   */
  read(uri: string, range: ByteRange, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Throws if the folder may not be written to; creates nothing. */
  refuse(folder: string): Promise<void>;
  /** Creates a folder, in storage that has folders. */
  prepare(folder: string): Promise<void>;
  /** Whether a complete file of this identity waits there or is published. */
  holds(uri: string, identity: FileIdentity): Promise<boolean>;
  /** Deletes a published file; a missing one is fine. */
  remove(uri: string): Promise<void>;
  /** Deletes a folder with its contents; a missing one is fine. */
  removeFolder(uri: string): Promise<void>;
  /** Sends a made file durably to where it waits unseen; returns that address. The made file may be moved. */
  stage(sending: Sending): Promise<string>;
  /** Deletes a hidden file. Leaves anything else with that address alone. */
  discard(address: string): Promise<void>;
  /** Whether this move created the file with the final name, complete or not. */
  isOurs(move: Move): Promise<boolean>;
  /** Publishes the file and replaces any file of that name. Safe to repeat. */
  replace(move: Move): Promise<void>;
  /** Makes the names of published files durable, where showing them does not. Called once for many. */
  readonly flush?: (uris: readonly string[]) => Promise<void>;
  /** Publishes the file only if its name is free. Present with the ability `createOnly`. */
  readonly create?: (move: Move) => Promise<"created" | "taken">;
  /** Renames an existing file; false if the new name is taken. Present with the ability `rename`. */
  readonly setAside?: (uri: string, to: string) => Promise<boolean>;
};

/** The credentials that came with an attempt, by address. */
export type Keys = {
  /** Throws TaskError if the entry that covers the address is for another kind of storage. */
  readonly of: <K extends CredentialKind>(uri: string, kind: K) => CredentialOf<K> | undefined;
  /** Removes the secrets of these credentials from a text; what an attempt reports has passed here. */
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
  /** Every connection goes to an address that it checked. */
  readonly guard: Guard;
  readonly clock: Clock;
  readonly patience: Patience;
  readonly read: ReadForeign;
};

/** A storage kind: its maximum abilities, and how to open it. An opened storage may declare less. */
export type Provider = { readonly abilities: Abilities; readonly open: (needs: StorageNeeds) => Storage };
