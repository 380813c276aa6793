import { open } from "node:fs/promises";
import { pictureAsFilm } from "../../media/formats/damage.ts";
import { sniff, sniffBytes } from "../../media/formats/sniff.ts";
import { sourceError } from "../../shared/model/failure.ts";
import { referencesOf } from "../../shared/work/arguments.ts";
import type { Step, Work } from "../../shared/work/work.ts";
import type { ResolvedFile, ResolvedPaths } from "./resolved-paths.ts";

/** Reads the first bytes of every input of ffmpeg and ffprobe, and refuses files that refer to other files. */
export const refuseUnsafeInputs = async (work: Work, paths: ResolvedPaths): Promise<void> => {
  for (const { path, from } of readByTools(work, paths)) await refuseUnsafe(path, from);
};

/** The first file of every input of ffmpeg and ffprobe. */
export const readByTools = ({ steps }: Work, { inputs }: ResolvedPaths): ResolvedFile[] =>
  [...new Set(steps.flatMap(openedByTools))].flatMap((id) => inputs.get(id)?.files.slice(0, 1) ?? []);

const openedByTools = (step: Step): string[] => {
  if (step.do === "probe" || step.do === "frames") return [step.asset];
  if (step.do === "join") return step.files.map(({ asset }) => asset);
  // Copies accept any bytes, and manifests have their own reader.
  if (step.do !== "ffmpeg") return [];
  return step.argv.flatMap(referencesOf).flatMap((reference) => ("asset" in reference ? [reference.asset] : []));
};

/** The same for one file, from a place in it on. */
export const refuseUnsafe = async (path: string, from: number | undefined): Promise<void> => {
  const head = await headOf(path, from);
  const found = sniff(head);
  if (found.kind === "empty") throw sourceError(`${path} is empty: copy or export it again`);
  if (found.kind === "text")
    throw sourceError(`${path} is a text file, not media: name the media itself as the source`);
  const picture = pictureAsFilm(path, head);
  if (picture) throw sourceError(`${path} ${picture}`);
  if (found.kind !== "reference") return;
  const article = /^(?:ASX|HLS|IMF|RTSP|SDP|SMIL|SVG|XSPF)\b/.test(found.what) ? "an" : "a"; // in words that people use
  const advice = readable.test(found.what) ? "; set options.resolve_manifest to use its media" : "";
  throw sourceError(`${path} is ${article} ${found.what}, not media${advice}`);
};

const readable = /^(?:HLS playlist|DASH manifest|IMF document)$/;

const headOf = async (path: string, from = 0): Promise<Uint8Array> => {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(new Uint8Array(sniffBytes), 0, sniffBytes, from);
  return buffer.subarray(0, bytesRead);
};
