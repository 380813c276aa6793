import { capabilityError, definitionError } from "../../../../../shared/model/failure.ts";
import type { Target } from "../../target-schema.ts";

/** Muxers that keep tags of any name. */
const keepsAny = /^(matroska|webm|nut|flac|ogg|mp3)$/;

const ofQuickTime = ["title", "artist", "album", "date", "genre", "copyright"];

/** Tags that ffmpeg has a place for, in containers that keep no others. */
const held: Readonly<Record<string, readonly string[]>> = {
  mov: ofQuickTime,
  mp4: [
    ...[...ofQuickTime, "album_artist", "composer", "comment", "grouping", "lyrics", "description", "synopsis"],
    ...["show", "episode_id", "network"],
  ],
};

/** The tags of a file. Throws TaskError for attributes that its container would drop. */
export const tagsOf = ({ container }: Target, muxer: string, path: string): Record<string, string> => {
  const { title, author, copyright, info_url, attributes: said = [] } = container ?? {};
  // Those of DASH are about addresses in the manifest.
  const attributes = muxer === "dash" ? [] : said;
  // AIFF calls an author by that name.
  const given = Object.entries({ title, [muxer === "aiff" ? "author" : "artist"]: author, copyright, info_url });
  const own = attributes.map(({ name, value }, at) => [nameOfTag(name, muxer, `${path}.attributes[${at}]`), value]);
  return Object.fromEntries([...given.filter(([, value]) => Boolean(value)), ...own]);
};

const nameOfTag = (name: string, muxer: string, path: string): string => {
  if (!/^[A-Za-z][A-Za-z0-9_. -]*$/.test(name))
    throw definitionError(`${path}.name "${name}" is not a name of letters and digits`);
  const names = held[muxer];
  if (keepsAny.test(muxer)) return name;
  if (names?.includes(name.toLowerCase())) return name.toLowerCase();
  const why = `${muxer} holds ${names?.join(", ") ?? "no attributes"}`;
  throw capabilityError(`${path}.name "${name}" is not implemented: ${why}`);
};
