import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ParseArgsOptionsConfig } from "node:util";
import { AppError } from "../shared/errors.ts";
import { splitMount } from "../shared/mounts.ts";
import { textOf, textsOf, type Values } from "./command.ts";

/** Flags that `up` hands on to its agent as they are. */
export const agentFlags = {
  name: { type: "string" },
  tags: { type: "string" },
  slots: { type: "string" },
  root: { type: "string", multiple: true },
  mount: { type: "string", multiple: true },
} as const satisfies ParseArgsOptionsConfig;

/** The same flags as words for the agent's command line. Folders are made absolute; a root that is none is refused. */
export const agentWords = (values: Values): string[] => {
  const single = (["name", "tags", "slots"] as const).flatMap((flag) => {
    const value = textOf(values, flag);
    return value === undefined ? [] : [`--${flag}`, value];
  });
  const roots = textsOf(values, "root").flatMap((folder) => ["--root", requireFolder("--root", folder)]);
  const mounts = textsOf(values, "mount").flatMap((text) => ["--mount", absoluteMount(text)]);
  return [...single, ...roots, ...mounts];
};

const absoluteMount = (text: string): string => {
  const mount = splitMount(text);
  if (!mount) throw new AppError("VALIDATION_FAILED", `--mount takes PREFIX=FOLDER, not "${text}"`);
  return `${mount.prefix}=${requireFolder("--mount", mount.folder)}`;
};

const requireFolder = (flag: string, folder: string): string => {
  const absolute = resolve(folder);
  if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) return absolute;
  throw new AppError("VALIDATION_FAILED", `${flag} ${absolute}: there is no such folder`);
};

/** A whole number of a flag, or undefined where it was not given. */
export const numberOf = (values: Values, flag: string, max: number): number | undefined => {
  const text = textOf(values, flag);
  if (text === undefined) return undefined;
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new AppError("VALIDATION_FAILED", `--${flag} takes a whole number from 0 to ${max}, not "${text}"`);
};
