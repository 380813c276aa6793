import { z } from "zod";

/** The abilities of a storage kind. They decide what jobs may ask of it and which guarantees its files get. */
export const abilityNames = {
  createOnly: "creates a file only if its name is free, atomically",
  atomicReplace: "replaces a file atomically",
  showsWhole: "shows only complete files",
  rename: "renames files",
  ranges: "reads ranges, so that a broken transfer can resume",
  continues: "continues a broken upload where it stopped",
  listing: "lists folders",
  writing: "writes files",
  attributes: "stores attributes such as ContentType and CacheControl",
  permissions: "stores access rights",
  encryption: "encrypts files on the server",
} as const;
export type Ability = keyof typeof abilityNames;
export type Abilities = Readonly<Record<Ability, boolean>>;

const names = Object.keys(abilityNames) as Ability[]; // Object.keys forgets the names

/** Only the named abilities are true. */
export const abilities = (...has: readonly Ability[]): Abilities =>
  // Every ability gets a value; the type of fromEntries cannot express that.
  Object.fromEntries(names.map((name) => [name, has.includes(name)])) as Abilities;

/** The guarantees that are weaker because a target's storage lacks an ability. */
export const weaknesses = {
  may_overwrite: "a file created under the same name at the last moment would have been overwritten",
  gap: "while the file replaced another, neither existed for a moment",
  half_visible: "the file was visible before it was complete",
  no_attributes: "the storage cannot store attributes; those of the job's location were omitted",
} as const;
export type Weakness = keyof typeof weaknesses;

export const weakness = z.enum(Object.keys(weaknesses) as [Weakness, ...Weakness[]]); // Object.keys forgets the names

/** The weakness as a sentence for people. */
export const weaknessText = (each: Weakness): string => `Weaker guarantee: ${weaknesses[each]}`;

type KindOfStorage = {
  readonly schemes: readonly string[];
  /** What jobs call it (`storage_provider`). */
  readonly words: readonly string[];
  /** Object storage has names alone: a folder without files is none, and its absence tells nothing. */
  readonly hasFolders: boolean;
  /** Whether an address may carry a name and a password: `ftp://user:password@host/`. */
  readonly hasLogin: boolean;
};

/**
 * All storage kinds. A node declares `storage:KIND` for each kind it supports. Jobs may also name planned kinds; those are
 * refused by name, because no provider implements them.
 */
export const storageKinds = {
  file: { schemes: ["file"], words: ["file", "local", "relative"], hasFolders: true, hasLogin: false },
  http: { schemes: ["http", "https"], words: ["http", "https"], hasFolders: true, hasLogin: true },
  ftp: { schemes: ["ftp", "ftps"], words: ["ftp"], hasFolders: true, hasLogin: true },
  sftp: { schemes: ["sftp"], words: ["sftp"], hasFolders: true, hasLogin: true },
  s3: { schemes: ["s3"], words: ["s3"], hasFolders: false, hasLogin: false },
  swift: { schemes: ["swift", "swiftstack"], words: ["swift", "swiftstack"], hasFolders: false, hasLogin: false },
} as const satisfies Readonly<Record<string, KindOfStorage>>;
export type StorageKind = keyof typeof storageKinds;

/** Kinds of the API that no provider implements yet; both name object storage by its scheme. */
const plannedObjectStorage = ["gs", "as"];

const kinds: readonly KindOfStorage[] = Object.values(storageKinds);

/** Every word that a job's `storage_provider` may be. */
export const storageProviders = [...kinds.flatMap(({ words }) => words), ...plannedObjectStorage, "box", "akamains"];

/** The scheme of an address in lower case; empty if it has none. */
export const schemeOf = (uri: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase() ?? "";

/** The storage kind for this address; undefined if its scheme is unknown. */
export const storageKindOf = (uri: string): StorageKind | undefined => kindByScheme.get(schemeOf(uri));

export const isRemote = (uri: string): boolean => (storageKindOf(uri) ?? "file") !== "file";

const kindByScheme: ReadonlyMap<string, StorageKind> = new Map(
  Object.entries(storageKinds).flatMap(([kind, { schemes }]) =>
    // Object.entries forgets the literal names.
    schemes.map((scheme) => [scheme, kind as StorageKind] as const),
  ),
);

export const hasFolders = (uri: string): boolean => !objectSchemes.has(schemeOf(uri));

const objectSchemes: ReadonlySet<string> = new Set([
  ...kinds.filter((kind) => !kind.hasFolders).flatMap(({ schemes }) => schemes),
  ...plannedObjectStorage,
]);
