import { definitionError } from "../../../../shared/model/failure.ts";
import type { Reference } from "../../../../shared/work/arguments.ts";
import type { Filter, FilterValue } from "../../../ffmpeg/filtergraph.ts";

/** What an option may be: a pattern of its whole text, or a file that the job brings. */
export type AllowedOption = RegExp | "file";

/** A filter that jobs may use: its options by name, in the order in which they may stand without one. */
export type AllowedFilters = Readonly<Record<string, Readonly<Record<string, AllowedOption>>>>;

type Rules = {
  readonly allowed: AllowedFilters;
  /** Staged files by the names that the job has for them. */
  readonly files: ReadonlyMap<string, Reference>;
  readonly path: string;
};

/**
 * Filters of a text like `hflip,eq=contrast=1.2:gamma=0.9`: one chain without labels. ffmpeg gets only
 * names of the list and values that fit their patterns. Throws TaskError `definition`, naming what is not allowed.
 */
export const allowedChain = (text: string, rules: Rules): Filter[] =>
  text.trim() === "" ? [] : splitOutsideQuotes(text, ",").map((each) => allowedFilter(each.trim(), rules));

const allowedFilter = (text: string, { allowed, files, path }: Rules): Filter => {
  const [, name = "", rest = ""] = /^([a-z0-9_]+)(?:=([\s\S]*))?$/i.exec(text) ?? [];
  const options = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
  if (!options) {
    throw definitionError(
      `${path}: the filter "${name || text}" is not allowed; allowed are ${Object.keys(allowed).join(", ")}`,
    );
  }
  const given = rest === "" ? [] : splitOutsideQuotes(rest, ":");
  const values = given.map((each, index): readonly [string, FilterValue] => {
    const [, said = Object.keys(options)[index] ?? "", value = ""] =
      /^(?:([a-z][a-z0-9_]*)=)?([\s\S]*)$/i.exec(each) ?? [];
    const key = fullName(said, options);
    const option = Object.hasOwn(options, key) ? options[key] : undefined;
    if (option === undefined) throw definitionError(`${path}: ${name} has no option "${said || each}" here`);
    return [key, readValue(unquoted(value), option, files, `${path}: ${name}=${key}`)];
  });
  return { name, ...(values.length > 0 && { options: Object.fromEntries(values) }) };
};

/** ffmpeg's short names of options, and the options that they may stand for. */
const shortNames: Readonly<Record<string, readonly string[]>> = {
  f: ["frequency", "framelen"],
  g: ["gain", "gausssize"],
  p: ["poles", "peak"],
  w: ["width", "out_w"],
  h: ["height", "out_h"],
  width: ["w"],
  height: ["h"],
  e: ["expr"],
  t: ["width_type", "thickness"],
  c: ["color"],
  m: ["maxgain"],
  r: ["targetrms"],
  nr: ["noise_reduction"],
  nf: ["noise_floor"],
};

const fullName = (name: string, options: Readonly<Record<string, AllowedOption>>): string => {
  if (Object.hasOwn(options, name) || !Object.hasOwn(shortNames, name)) return name;
  return shortNames[name]?.find((each) => Object.hasOwn(options, each)) ?? name;
};

const readValue = (value: string, option: AllowedOption, files: Rules["files"], path: string): FilterValue => {
  if (option === "file") {
    const file = files.get(value);
    if (file) return file;
    throw definitionError(`${path}: "${value}" is not one of the support_files`);
  }
  if (option.test(value)) return value;
  throw definitionError(`${path} cannot have the value "${value}"`);
};

const unquoted = (value: string): string => value.replaceAll(/['\\]/g, "").trim();

/** Parts between separators that are neither in quotes, nor in parentheses, nor behind a backslash. */
const splitOutsideQuotes = (text: string, separator: "," | ":"): string[] =>
  text.match(separator === "," ? betweenCommas : betweenColons) ?? [];

const betweenCommas = /(?:'[^']*'|\\[\s\S]|\([^()]*\)|[^,'\\])+/g;
const betweenColons = /(?:'[^']*'|\\[\s\S]|\([^()]*\)|[^:'\\])+/g;
