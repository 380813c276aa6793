import { type Fields, fieldsAt, isFields, numberAt, type Sample, textAt } from "./samples.ts";

/** One address that a sample reads, and how long its film must be. */
export type Source = { readonly uri: string; readonly seconds: number };

/** Every address that a sample reads and does not make itself. */
export const sourcesOf = ({ elements }: Sample): Source[] => {
  const found = elements.flatMap(({ kind, payload }) => {
    const seconds = secondsOf(payload);
    const own = urisBelow(payload, undefined).map((uri) => ({ uri, seconds }));
    return kind === "source" ? own : own.filter(({ uri }) => !uri.includes("/output/"));
  });
  const folders = elements.filter(({ kind }) => kind === "folder_enum").flatMap(({ payload }) => filesIn(payload));
  const uris = [...new Set([...found, ...folders].map(({ uri }) => uri))];
  return uris.map((uri) => ({
    uri,
    seconds: Math.max(...[...found, ...folders].map((each) => (each.uri === uri ? each.seconds : 0))),
  }));
};

export const isFile = (uri: string): boolean => /^[a-z0-9]+:\/\/.*\.[a-z0-9]{2,8}$/i.test(uri) && !uri.includes("{");

/** A component has its own location, or that of what it is part of. */
const urisBelow = (value: unknown, folder: string | undefined): string[] => {
  if (Array.isArray(value)) return value.flatMap((each) => urisBelow(each, folder));
  if (!isFields(value)) return [];
  const own = textAt(fieldsAt(value, "location"), "path") ?? folder;
  const { url, name } = value;
  const named = typeof name === "string" && value.kind === "name" ? [joined(own, name)] : [];
  const direct = typeof url === "string" ? [url] : [];
  const below = Object.entries(value).flatMap(([key, part]) => (key === "location" ? [] : urisBelow(part, own)));
  return [...named, ...direct, ...below].filter(isFile);
};

export const joined = (folder: string | undefined, name: string): string =>
  name.includes("://") || folder === undefined ? name : `${folder.replace(/\/+$/, "")}/${name}`;

/** Films that a folder to be listed gets. */
export const filmsAFolder = 2;

const filesIn = (payload: Fields): Source[] => {
  const path = textAt(fieldsAt(payload, "source"), "path");
  const names = ["first_720p.mov", "second_1080p.mov"];
  return path === undefined ? [] : names.map((name) => ({ uri: joined(path, name), seconds: 0 }));
};

/** How far the trims of an element reach. */
const secondsOf = (value: unknown): number => {
  if (Array.isArray(value)) return Math.max(0, ...value.map(secondsOf));
  if (!isFields(value)) return 0;
  return Math.max(reachOf(fieldsAt(value, "trim")), ...Object.values(value).map(secondsOf), 0);
};

const reachOf = (trim: Fields): number => {
  const start = numberAt(trim, "inpoint_sec") ?? 0;
  const frames = numberAt(trim, "outpoint_frame") ?? 0;
  return Math.max(
    numberAt(trim, "outpoint_sec") ?? 0,
    start + (numberAt(trim, "duration_sec") ?? 0),
    frames / 24,
    clockSeconds(textAt(trim, "outpoint_tc")),
    clockSeconds(textAt(trim, "outpoint_asset_tc")) % 3600,
  );
};

export const clockSeconds = (text = "00:00:00:00"): number => {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(/[:;]/).map(Number);
  return hours * 3600 + minutes * 60 + seconds;
};
