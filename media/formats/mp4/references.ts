import { boxed, boxesIn, textAt } from "./parts.ts";

/** How a movie names the file that holds its media. */
export type MediaAddress =
  /** QuickTime's alias: folders up from the movie's own, names down to the file, and the whole path where it is known. */
  | { readonly form: "alias"; readonly up: number; readonly down: readonly string[]; readonly path: readonly string[] }
  /** MP4's address, from the movie's own folder. */
  | { readonly form: "url"; readonly url: string };

/** The movie box of a file with media, for a movie that refers to that file: its samples stay where they are. */
export const referringMovie = (movie: Uint8Array, address: MediaAddress): Uint8Array => {
  const reference = address.form === "alias" ? boxed("alis", [noFlags, aliasOf(address)]) : urlOf(address.url);
  return withReference(movie, boxed("dref", [noFlags, new Uint8Array([0, 0, 0, 1]), reference]));
};

/** Version 0; the flag *self-contained* is not set. */
const noFlags = new Uint8Array(4);

const containers = ["moov", "trak", "mdia", "minf", "dinf"];

/** Every track names its file anew: muxers write one reference a track, to its own file. */
const withReference = (box: Uint8Array, references: Uint8Array): Uint8Array => {
  const type = textAt(box, 4);
  if (type === "dref") return references;
  if (!containers.includes(type)) return box;
  return boxed(
    type,
    boxesIn(box, 8).map((each) => withReference(each, references)),
  );
};

const urlOf = (url: string): Uint8Array => boxed("url ", [noFlags, new TextEncoder().encode(`${url}\0`)]);

/** Bytes of an alias before its tagged parts, and where some of them begin (Inside Macintosh: Files; version 2). */
const aliasBytes = 150;
const at = { size: 4, version: 6, signature: 42, name: 50, type: 122, up: 130, down: 132 } as const;
const mostNameBytes = 63;
/** Numbers of tagged parts: the folder's name, the path by colons and the path by slashes. */
const tags = { folder: 0, path: 2, posixPath: 18, end: 0xffff } as const;

const aliasOf = ({ up, down, path }: Extract<MediaAddress, { form: "alias" }>): Uint8Array => {
  const parts = [
    ...(path.length > 1 ? [tagged(tags.folder, path.at(-2) ?? "")] : []),
    tagged(tags.path, path.join(":")),
    tagged(tags.posixPath, `/${path.join("/")}`),
    tagged(tags.end, ""),
  ];
  const size = parts.reduce((sum, part) => sum + part.length, aliasBytes);
  const alias = new Uint8Array(size);
  const view = new DataView(alias.buffer);
  view.setUint16(at.size, size);
  view.setUint16(at.version, 2);
  alias.set(new TextEncoder().encode("H+"), at.signature);
  const name = new TextEncoder().encode(path.at(-1) ?? "").subarray(0, mostNameBytes);
  alias.set([name.length, ...name], at.name);
  alias.set(new TextEncoder().encode("MooV"), at.type);
  // One level up is the movie's own folder.
  view.setUint16(at.up, up + 1);
  view.setUint16(at.down, down.length);
  let place = aliasBytes;
  for (const part of parts) {
    alias.set(part, place);
    place += part.length;
  }
  return alias;
};

const tagged = (tag: number, text: string): Uint8Array => {
  const bytes = new TextEncoder().encode(text);
  const made = new Uint8Array(4 + bytes.length + (bytes.length % 2));
  const view = new DataView(made.buffer);
  view.setUint16(0, tag);
  view.setUint16(2, bytes.length);
  made.set(bytes, 4);
  return made;
};
