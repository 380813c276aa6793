import { TaskError } from "../../shared/model/failure.ts";
import type { Storage } from "./storage.ts";
import { lastName } from "./temp-name.ts";

const most = 10_000;

/** `name_1.ext`, `name_2.ext`, … of the address `name.ext`, with `infix` before the number. */
export const numbered = (uri: string, number: number, infix = ""): string => {
  const start = uri.lastIndexOf("/") + 1;
  const dot = uri.lastIndexOf(".");
  const end = dot > start ? dot : uri.length;
  return `${uri.slice(0, end)}_${infix}${number}${uri.slice(end)}`;
};

/** The address without the number that it got because its name was taken. `made`: the name that the file was made for. */
export const unnumbered = (uri: string, made: string): string => {
  const start = uri.lastIndexOf("/") + 1;
  const [, stem = "", extension = ""] = /^(.+)_\d+(\.[^.]*)?$/s.exec(uri.slice(start)) ?? [];
  const before = `${uri.slice(0, start)}${stem}${extension}`;
  return stem !== "" && lastName(before) === made ? before : uri;
};

/** The address itself if nothing has it, else its first numbered form that is free. */
export const firstFree = async (uri: string, isTaken: (uri: string) => Promise<boolean>): Promise<string> => {
  if (!(await isTaken(uri))) return uri;
  for (let number = 1; number <= most; number++) {
    const candidate = numbered(uri, number);
    if (!(await isTaken(candidate))) return candidate;
  }
  throw new TaskError("storage", `${uri} and ${most} numbered names next to it already exist`);
};

/** Renames the existing file to the first free form `name_org_N.ext`. */
export const keepOriginal = async (uri: string, setAside: NonNullable<Storage["setAside"]>): Promise<void> => {
  for (let number = 1; number <= most; number++) if (await setAside(uri, numbered(uri, number, "org_"))) return;
  throw new TaskError(
    "storage",
    `${uri} cannot be renamed: ${most} names like ${numbered(uri, 1, "org_")} already exist`,
  );
};
