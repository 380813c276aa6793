import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as hls from "hls-parser";
import { smoothAnswer } from "../helpers/media/smooth-origin.ts";
import { type Fields, fieldsAt, isFields, listOf, textAt } from "./samples.ts";

/** It comes without types, and only its way for `require` can be loaded. */
const mpd: { parse(text: string, options: { manifestUri: string }): unknown } = createRequire(import.meta.url)(
  "mpd-parser",
);

/** What is wrong with a manifest and with all that it names, told by parsers that players use. */
export const faultsOfManifest = (path: string): string[] => {
  try {
    if (/\.ism$/.test(path)) return faultsOfSmooth(path);
    return /\.mpd$/.test(path) ? faultsOfDash(path) : faultsOfHls(path);
  } catch (problem) {
    return [`cannot be parsed: ${problem}`];
  }
};

/** Every fragment that players are told of is one that the server finds. */
const faultsOfSmooth = (path: string): string[] => {
  const players = String(smoothAnswer(`${path}/Manifest`));
  const streams = players.split("<StreamIndex").slice(1);
  const asked = streams.flatMap((stream) => {
    const [, url = ""] = /Url="([^"]+)"/.exec(stream) ?? [];
    const bitrates = [...stream.matchAll(/Bitrate="(\d+)"/g)].map(([, bitrate = ""]) => bitrate);
    const times = [...stream.matchAll(/<c t="(\d+)"/g)].map(([, time = ""]) => time);
    return bitrates.flatMap((bitrate) =>
      times.map((time) => url.replace("{bitrate}", bitrate).replace("{start time}", time)),
    );
  });
  if (asked.length === 0) return ["names no fragments"];
  return asked.flatMap((each) => (smoothAnswer(`${path}/${each}`) ? [] : [`names ${each}, which is not there`]));
};

const faultsOfHls = (path: string): string[] => {
  const playlist = hls.parse(readFileSync(path, "utf8"));
  if (!("variants" in playlist)) return faultsOfMedia(path, playlist);
  const renditions = playlist.variants.flatMap(({ audio, video, subtitles }) => [...audio, ...video, ...subtitles]);
  const uris = [...playlist.variants.map(({ uri }) => uri), ...renditions.flatMap(({ uri }) => uri ?? [])];
  if (uris.length === 0) return ["names no playlist"];
  return [...new Set(uris)].flatMap((uri) => {
    const below = localPath(path, uri);
    if (!below || !existsSync(below)) return [`names ${uri}, which is not there`];
    return faultsOfHls(below).map((fault) => `${uri}: ${fault}`);
  });
};

const faultsOfMedia = (path: string, { segments }: hls.types.MediaPlaylist): string[] => {
  if (segments.length === 0) return ["has no segments"];
  const uris = segments.flatMap(({ uri, map }) => [uri, ...(map?.uri ? [map.uri] : [])]);
  return [...new Set(uris)].flatMap((uri) => lacking(path, uri));
};

const faultsOfDash = (path: string): string[] => {
  const manifest = mpd.parse(readFileSync(path, "utf8"), { manifestUri: String(pathToFileURL(path)) });
  const playlists = [
    ...listOf(isFields(manifest) ? manifest.playlists : []),
    ...groupsOf(fieldsAt(manifest, "mediaGroups")),
  ];
  const uris = playlists.flatMap(urisOf);
  return uris.length === 0 ? ["has no segments"] : [...new Set(uris)].flatMap((uri) => lacking(path, uri));
};

/** A representation is a list of segments, or one file with an index in it. */
const urisOf = (playlist: Fields): string[] => {
  const segments = listOf(playlist.segments);
  const parts = [...segments, ...segments.map((segment) => fieldsAt(segment, "map")), fieldsAt(playlist, "sidx")];
  const named = parts.flatMap((each) => textAt(each, "resolvedUri") ?? []);
  return named.length > 0 ? named : [textAt(playlist, "resolvedUri") ?? []].flat();
};

/** Playlists of sound and subtitles lie some groups deep. */
const groupsOf = (groups: Fields): readonly Fields[] =>
  Object.values(groups).flatMap((value) => {
    if (!isFields(value)) return [];
    return Array.isArray(value.playlists) ? listOf(value.playlists) : groupsOf(value);
  });

const lacking = (path: string, uri: string): string[] => {
  const file = localPath(path, uri);
  return file && existsSync(file) && statSync(file).isFile() && statSync(file).size > 0
    ? []
    : [`names ${uri}, which is not there or empty`];
};

const localPath = (path: string, uri: string): string | undefined => {
  if (uri.startsWith("file://")) return fileURLToPath(uri);
  return /^[a-z0-9]+:/i.test(uri) ? undefined : join(dirname(path), decodeURIComponent(uri));
};
