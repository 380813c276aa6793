import { TaskError } from "../../causes.ts";
import { fillPattern } from "../../file-pattern.ts";
import { folderUri } from "../../location.ts";
import { relativeUrl } from "../../relative-url.ts";
import type { PackagePayload } from "./schema.ts";

/** Where the parts of a package go, and how manifests refer to them. */
export type Places = {
  readonly media: string;
  readonly playlists: string;
  readonly hls: { readonly folder: string; readonly name: string };
  readonly dash: { readonly folder: string; readonly name: string };
  /** Templates that hold `{media_file}`; undefined: beside each other. */
  readonly mediaFromPlaylists: string | undefined;
  readonly playlistsFromMaster: string | undefined;
  readonly mediaFromDash: string | undefined;
};

type Context = { readonly uid: string; readonly sourceName: string; readonly jobId: number };

export const placesOf = (payload: PackagePayload, { uid, sourceName, jobId }: Context): Places => {
  const path = `${uid}.payload`;
  const base = payload.location && folderUri(payload.location, undefined, `${path}.location`);
  const folder = (place: typeof payload.location, parent: string | undefined, name: string) =>
    place || parent === undefined ? folderUri(place, parent, `${path}.${name}`) : parent;
  const master = folder(payload.hls?.location ?? payload.hls?.manifest_location, base, "location");
  const playlists = folder(payload.hls?.media_playlist_location, master, "hls.media_playlist_location");
  const media = folder(payload.media_location, base ?? master, "media_location");
  const manifest = folder(payload.dash?.location, base ?? master, "dash.location");
  const nameWith = (pattern: string, ending: string): string => {
    const filled = fillPattern(pattern, { sourceName, defaultExtension: ending, jobId });
    return filled.toLowerCase().endsWith(ending) ? filled : `${filled.replace(/\.(m3u8|mpd)$/i, "")}${ending}`;
  };
  const mediaFrom = (from: string): string | undefined => {
    if (payload.media_url_template !== undefined) return payload.media_url_template;
    if (payload.media_url_prefix !== undefined) return `${payload.media_url_prefix}{media_file}`;
    return templateOf(relativeUrl(from, media), `${path}.media_location`);
  };
  const prefix = payload.hls?.media_playlist_url_prefix;
  return {
    media,
    playlists,
    hls: { folder: master, name: nameWith(hlsPattern(payload), ".m3u8") },
    dash: { folder: manifest, name: nameWith(payload.dash?.file_pattern ?? payload.file_pattern, ".mpd") },
    mediaFromPlaylists: mediaFrom(playlists),
    mediaFromDash: mediaFrom(manifest),
    playlistsFromMaster:
      prefix !== undefined
        ? `${prefix}{media_file}`
        : templateOf(relativeUrl(master, playlists), `${path}.hls.media_playlist_location`),
  };
};

/** The pattern of `hls` where it says one; its default is the package's. */
const hlsPattern = ({ hls, file_pattern }: PackagePayload): string =>
  hls && hls.file_pattern !== "{source_basename}" ? hls.file_pattern : file_pattern;

const templateOf = (url: string | undefined, path: string): string | undefined => {
  if (url === undefined)
    throw new TaskError(
      "definition",
      `${path} cannot be reached from the manifests: say media_url_prefix or media_url_template`,
    );
  return url === "" ? undefined : `${url}{media_file}`;
};
