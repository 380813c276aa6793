import { fillPattern } from "../../../shared/files/file-pattern.ts";
import type { Location } from "../../../shared/files/location.ts";
import type { ObjectOptions } from "../../../shared/files/object-options.ts";
import { type Place, placeOf } from "../../../shared/files/place.ts";
import { definitionError } from "../../../shared/model/failure.ts";
import { relativeUrl } from "../../formats/relative-url.ts";
import { kindsOf } from "./modes.ts";
import type { PackagePayload } from "./schema.ts";

/** Where the parts of a package go, and how manifests refer to them. */
export type Places = {
  readonly media: string;
  readonly playlists: string;
  readonly hls: { readonly folder: string; readonly name: string };
  readonly dash: { readonly folder: string; readonly name: string };
  readonly smooth: {
    readonly folder: string;
    /** Of the server's manifest, and of that for players. */
    readonly server: string;
    readonly client: string;
    /** The media's folder as the server's manifest names it; empty: beside it. */
    readonly media: string;
  };
  /** The location's other fields, for the files in each folder. */
  readonly objects: Readonly<Record<"media" | "playlists" | "hls" | "dash" | "smooth", ObjectOptions | undefined>>;
  /** Templates that hold `{media_file}`; undefined: beside each other. */
  readonly mediaFromPlaylists: string | undefined;
  readonly playlistsFromMaster: string | undefined;
  readonly mediaFromDash: string | undefined;
};

type Context = { readonly uid: string; readonly sourceName: string; readonly jobId: number };

export const planPlaces = (payload: PackagePayload, { uid, sourceName, jobId }: Context): Places => {
  const path = `${uid}.payload`;
  const { hls, dash, smooth } = payload;
  const base = placeIn(payload.location, undefined, `${path}.location`);
  const below = (location: Location | undefined, parent: Place | undefined, name: string): Place => {
    const found = placeIn(location, parent, `${path}.${name}`) ?? parent;
    if (found) return found;
    throw definitionError(`${path}.${name} has no path: it says where the files go`);
  };
  const anyBase = base ?? placeIn(dash?.location ?? smooth?.location, undefined, `${path}.location`);
  const master = below(hls?.location ?? hls?.manifest_location, anyBase, "location");
  const playlists = below(hls?.media_playlist_location, master, "hls.media_playlist_location");
  const media = below(payload.media_location, besides(base ?? master), "media_location");
  const manifest = below(dash?.location, base ?? master, "dash.location");
  const origin = below(smooth?.location, base ?? master, "smooth.location");
  const nameWith = (pattern: string, ending: string): string => {
    const filled = fillPattern(pattern, { sourceName, defaultExtension: ending, jobId });
    return filled.toLowerCase().endsWith(ending) ? filled : `${filled.replace(/\.(m3u8|mpd|ismc?)$/i, "")}${ending}`;
  };
  const server = nameWith(smooth?.file_pattern ?? payload.file_pattern, ".ism");
  const mediaFrom = (from: Place): string | undefined => {
    if (payload.media_url_template !== undefined) return payload.media_url_template;
    if (payload.media_url_prefix !== undefined) return `${payload.media_url_prefix}{media_file}`;
    return templateOf(relativeUrl(from.folder, media.folder), `${path}.media_location`);
  };
  const prefix = hls?.media_playlist_url_prefix;
  return {
    ...{ media: media.folder, playlists: playlists.folder },
    hls: {
      folder: master.folder,
      name: nameWith(hls?.file_pattern ?? hls?.manifest_file_pattern ?? payload.file_pattern, ".m3u8"),
    },
    dash: { folder: manifest.folder, name: nameWith(dash?.file_pattern ?? payload.file_pattern, ".mpd") },
    smooth: {
      ...{ folder: origin.folder, server, client: `${server}c` },
      media: kindsOf(payload).includes("smooth") ? (relativeUrl(origin.folder, media.folder) ?? unreachable(path)) : "",
    },
    objects: {
      ...{ media: media.object, playlists: playlists.object },
      ...{ hls: master.object, dash: manifest.object, smooth: origin.object },
    },
    mediaFromPlaylists: mediaFrom(playlists),
    mediaFromDash: mediaFrom(manifest),
    playlistsFromMaster:
      prefix !== undefined
        ? `${prefix}{media_file}`
        : templateOf(relativeUrl(master.folder, playlists.folder), `${path}.hls.media_playlist_location`),
  };
};

const unreachable = (path: string): never => {
  throw definitionError(`${path}.media_location cannot be reached from smooth.location: they must be on one storage`);
};

const placeIn = (location: Location | undefined, parent: Place | undefined, path: string): Place | undefined =>
  location && placeOf(location, parent?.folder, path);

/** A manifest has another content type than the media beside it. */
const besides = ({ folder, object }: Place): Place => {
  const attributes = object?.attributes?.filter(({ name }) => !/^content-?type$/i.test(name));
  return { folder, object: object && { ...object, attributes } };
};

const templateOf = (url: string | undefined, path: string): string | undefined => {
  if (url === undefined)
    throw definitionError(`${path} cannot be reached from the manifests: say media_url_prefix or media_url_template`);
  return url === "" ? undefined : `${url}{media_file}`;
};
