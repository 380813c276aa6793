import { copyFileSync, linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isComposition, placeComposition } from "./composition.ts";
import { makeMaster, masterFor } from "./masters.ts";
import type { Sample } from "./samples.ts";
import { sourcesOf } from "./sources.ts";
import { sidecarText } from "./texts.ts";

/** Where the storage of samples lies: every prefix is a folder of its own. */
export const prefixes: readonly string[] = [
  "s3://hybrik-examples",
  "s3://download.opencontent.netflix.com",
  "https://hybrik-examples.s3.amazonaws.com",
  "https://download.blender.org",
];

export const folderOf = (root: string, prefix: string): string => join(root, prefix.replace(/^[a-z0-9]+:\/\//, ""));

/** The local path of an address of a sample; undefined where it lies in no such storage. */
export const pathOf = (root: string, uri: string): string | undefined => {
  if (uri.startsWith("file://")) return decodeURIComponent(uri.slice("file://".length));
  const prefix = prefixes.find((each) => uri.startsWith(`${each}/`));
  return prefix === undefined ? undefined : join(folderOf(root, prefix), decodeURIComponent(uri.slice(prefix.length)));
};

/** Storage with what a sample reads, and nothing else. Gives the addresses that it has no file for. */
export const fillBucket = async (root: string, masters: string, sample: Sample): Promise<string[]> => {
  for (const prefix of prefixes) {
    rmSync(folderOf(root, prefix), { recursive: true, force: true });
    mkdirSync(folderOf(root, prefix), { recursive: true });
  }
  const lacking: string[] = [];
  for (const { uri, seconds } of sourcesOf(sample)) {
    const path = pathOf(root, uri);
    if (path === undefined || !(await place(path, uri, seconds, masters))) lacking.push(uri);
  }
  return lacking;
};

const font = join(import.meta.dirname, "../../node_modules/dejavu-fonts-ttf/ttf/DejaVuSans.ttf");

const place = async (path: string, uri: string, seconds: number, masters: string): Promise<boolean> => {
  mkdirSync(dirname(path), { recursive: true });
  const name = uri.split("/").at(-1) ?? "";
  if (isComposition(name)) {
    await placeComposition(path, masters);
    return true;
  }
  const text = sidecarText(uri);
  if (text !== undefined) writeFileSync(path, text);
  else if (/\.(?:ttf|otf)$/i.test(uri)) copyFileSync(font, path);
  else {
    const master = masterFor(name);
    if (!master) return false;
    rmSync(path, { force: true });
    linkSync(await makeMaster(master, masters, seconds), path);
  }
  return true;
};
