import { z } from "zod";

/** What a kind of storage can do: what jobs may ask of it, and what finished files can be promised there. */
export const abilityNames = {
  createOnly: "gives a file its name only if nothing has that name, in one step",
  atomicReplace: "puts a file in another one's place without a moment in which neither is there",
  showsWhole: "shows a file with all of its bytes or not at all",
  rename: "gives a file another name",
  ranges: "reads a file from the middle, so that a broken transfer goes on where it ended",
  listing: "lists folders",
  writing: "takes files",
  attributes: "keeps attributes such as ContentType and CacheControl with a file",
  permissions: "keeps access rights with a file",
  encryption: "encrypts files on the server",
} as const;
export type Ability = keyof typeof abilityNames;
export type Abilities = Readonly<Record<Ability, boolean>>;

const names = Object.keys(abilityNames) as Ability[]; // Object.keys forgets the names

/** The abilities that are named, and none beside them. */
export const abilities = (...has: readonly Ability[]): Abilities =>
  // Every ability gets its value, which the type of entries cannot say.
  Object.fromEntries(names.map((name) => [name, has.includes(name)])) as Abilities;

/** What was promised less of than elsewhere, because the storage of a target lacks an ability. */
export const weaknesses = {
  may_overwrite: "a file that appeared under the name in the last moment would have been overwritten",
  gap: "while the file took the place of another one, for a moment neither was there",
  half_visible: "the file could be seen before all of its bytes were there",
  no_attributes: "the storage keeps no attributes with files: those of the job's location were left out",
} as const;
export type Weakness = keyof typeof weaknesses;

export const weakness = z.enum(Object.keys(weaknesses) as [Weakness, ...Weakness[]]); // Object.keys forgets the names

/** As a sentence for people. */
export const weaknessText = (each: Weakness): string => `Weaker guarantee: ${weaknesses[each]}`;

/**
 * Kinds of storage by the schemes of their addresses. A node declares `storage:KIND` for each kind that it has. Kinds
 * without schemes are known to jobs and refused in words: nothing here speaks their protocol.
 */
export const storageKinds = {
  file: ["file"],
  http: ["http", "https"],
  ftp: ["ftp", "ftps"],
  sftp: ["sftp"],
  s3: ["s3"],
  swift: ["swift", "swiftstack"],
} as const;
export type StorageKind = keyof typeof storageKinds;

/** The scheme of an address in small letters; empty where it has none. */
export const schemeOf = (uri: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(uri)?.[1]?.toLowerCase() ?? "";

/** The kind of storage that has such addresses; undefined where none is known. */
export const storageKindOf = (uri: string): StorageKind | undefined => kindByScheme.get(schemeOf(uri));

const kindByScheme: ReadonlyMap<string, StorageKind> = new Map(
  Object.entries(storageKinds).flatMap(([kind, schemes]) =>
    // Object.entries forgets the literal names.
    schemes.map((scheme) => [scheme, kind as StorageKind] as const),
  ),
);
