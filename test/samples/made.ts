import { existsSync, statSync } from "node:fs";
import type { JobOutput } from "../../shared/api/job-outputs.ts";
import { pathOf } from "./bucket.ts";
import { faultsOf, hasVideo, isElementary, isImage } from "./checks.ts";
import { type LengthOf, secondsOfTarget } from "./duration.ts";
import { analysesIn, measuredOf } from "./measured.ts";
import { faultsOfManifest } from "./playlists.ts";
import { type Reading, readFile } from "./reading.ts";
import {
  type Fields,
  fieldsAt,
  isFields,
  listOf,
  numberAt,
  type Sample,
  type SampleElement,
  textAt,
} from "./samples.ts";
import { filmsAFolder } from "./sources.ts";

export type Made = {
  readonly sample: Sample;
  readonly outputs: readonly JobOutput[];
  /** The job's result. */
  readonly result: unknown;
  /** The folder that holds the storage of samples. */
  readonly root: string;
  readonly lengthOf: LengthOf;
};

type Found = { readonly files: number; readonly faults: readonly string[] };

/** Everything that a completed sample made, checked against what it asked for. */
export const checkMade = async (made: Made): Promise<Found> => {
  const faults: string[] = lostFiles(made);
  let files = 0;
  for (const element of made.sample.elements) {
    const found = await (checksByKind[element.kind] ?? countFiles)(element, made);
    files += found.files;
    faults.push(...found.faults.map((fault) => `${element.uid}: ${fault}`));
  }
  return { files, faults };
};

/** Files that the job says it made and that are not there, or of another size. */
const lostFiles = ({ sample, outputs, root }: Made): string[] =>
  deletes(sample)
    ? []
    : outputs.flatMap(({ uri, size }) => {
        const path = pathOf(root, uri);
        if (path === undefined || !existsSync(path)) return [`${uri} is listed and not there`];
        const found = statSync(path).size;
        return size !== null && found !== size ? [`${uri} has ${found} bytes and not ${size}`] : [];
      });

const deletes = ({ elements }: Sample): boolean => elements.some(({ kind }) => kind === "delete_asset");

type ElementCheck = (element: SampleElement, made: Made) => Promise<Found>;

const filesOf = ({ uid }: SampleElement, { outputs, root }: Made) =>
  outputs.flatMap(({ element_uid, uri, version }) => {
    const path = pathOf(root, uri);
    return element_uid === uid && path !== undefined ? [{ uri, path, version }] : [];
  });

const countFiles: ElementCheck = async (element, made) => ({ files: filesOf(element, made).length, faults: [] });

const checkTranscode: ElementCheck = async (element, made) => {
  const results: Found[] = [];
  for (const [index, target] of listOf(element.payload.targets).entries())
    results.push(await checkTarget(element, target, index, made));
  return { files: results.reduce((sum, { files }) => sum + files, 0), faults: results.flatMap(({ faults }) => faults) };
};

const checkTarget = async (element: SampleElement, target: Fields, index: number, made: Made): Promise<Found> => {
  const version = textAt(target, "uid") ?? `target_${index}`;
  const name = `targets[${index}]`;
  const isOwn = (name: string) => name === version || (isElementary(target) && name.startsWith(`${version}_audio_`));
  const all = filesOf(element, made).filter((file) => isOwn(file.version));
  const files = all.filter(({ path }) => existsSync(path));
  const isOptional = target.include_conditions !== undefined || target.include_if_source_has !== undefined;
  if (files.length === 0) {
    const isGone = all.length > 0 && deletes(made.sample);
    return { files: 0, faults: isOptional || isGone ? [] : [`${name} made no file`] };
  }
  // Behind a folder each film of it makes files of its own.
  const isEnumerated = made.sample.elements.some(({ kind }) => kind === "folder_enum");
  const groups = isEnumerated ? files.map((file) => [file]) : [files];
  const faults =
    isEnumerated && groups.length !== filmsAFolder ? [`made ${groups.length} files of ${filmsAFolder}`] : [];
  for (const group of groups) faults.push(...(await faultsIn(group, element, target, made)));
  return { files: files.length, faults: faults.map((fault) => `${name}: ${fault}`) };
};

type MadeFile = ReturnType<typeof filesOf>[number];

const faultsIn = async (
  files: readonly MadeFile[],
  element: SampleElement,
  target: Fields,
  made: Made,
): Promise<string[]> => {
  const [first] = files;
  if (!first) return [];
  const durationSec = await secondsOfTarget(made.sample, { element: element.payload, target }, made.lengthOf);
  const reading = await readTogether(isElementary(target) ? files.map(({ path }) => path) : [first.path]);
  return [
    ...whereItIs(first.uri, element, target),
    ...filesAsked(target, files.length),
    ...faultsOf({ target, durationSec }, reading),
  ];
};

/** Several files of one stream each as one file of them all. */
const readTogether = async ([first = "", ...more]: readonly string[]): Promise<Reading> => {
  const reading = await readFile(first);
  const others = await Promise.all(more.map(readFile));
  const second = reading.second && {
    ...reading.second,
    audio: [reading, ...others].flatMap((each) => each.second?.audio ?? []),
  };
  const complaints = [reading, ...others].map((each) => each.complaints).join("");
  return { ...reading, audio: [...reading.audio, ...others.flatMap(({ audio }) => audio)], second, complaints };
};

/** The address of a file follows from its location and its pattern. */
const whereItIs = (uri: string, { payload }: SampleElement, target: Fields): string[] => {
  const folder = textAt(fieldsAt(target, "location"), "path") ?? textAt(fieldsAt(payload, "location"), "path") ?? "";
  const pattern = textAt(target, "file_pattern") ?? "{source_basename}";
  const parts = pattern.split(/\{[^}]*\}|%\d*d/).map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const wanted = new RegExp(`^${parts.join(".*")}(\\.\\w+)?$`);
  const name = decodeURIComponent(uri.split("/").at(-1) ?? "");
  return [
    ...(uri.startsWith(`${folder.replace(/\/+$/, "")}/`) ? [] : [`location is ${uri}, not ${folder}`]),
    ...(wanted.test(name) || target.existing_files === "rename_new" ? [] : [`name is ${name}, not ${pattern}`]),
  ];
};

const filesAsked = (target: Fields, found: number): string[] => {
  const streams = (hasVideo(target) ? 1 : 0) + listOf(target.audio).length;
  const files = isElementary(target) ? streams : 1;
  if (!isImage(target)) return found === files ? [] : [`has ${found} files, not ${files}`];
  const wanted = numberAt(fieldsAt(fieldsAt(target, "video"), "image_sequence"), "total_number");
  return wanted === undefined || wanted === found ? [] : [`has ${found} images, not ${wanted}`];
};

/** Manifests are parsed, and played with all that they name unless it is encrypted. */
const checkPackage: ElementCheck = async (element, made) => {
  const files = filesOf(element, made);
  const manifests = files.filter(({ path }) => /\.(?:m3u8|mpd|ism)$/.test(path));
  const faults = manifests.length > 0 ? [] : ["made no manifest"];
  for (const { uri, path } of manifests) {
    faults.push(...faultsOfManifest(path).map((fault) => `${uri} ${fault}`));
    if (isPlayed(element, path)) faults.push(...(await faultsOfPlaying(path)).map((fault) => `${uri} ${fault}`));
  }
  return { files: files.length, faults };
};

/** ffmpeg is no player of DASH in every build, and of nothing that is encrypted. */
const isPlayed = ({ payload }: SampleElement, path: string): boolean =>
  payload.encryption === undefined && payload.encryptions === undefined && path.endsWith(".m3u8");

const faultsOfPlaying = async (path: string): Promise<string[]> => {
  const { complaints, video, audio, subtitles } = await readFile(path);
  if (complaints !== "") return [`cannot be played: ${complaints}`];
  return video.length + audio.length + subtitles === 0 ? ["plays nothing"] : [];
};

const checkDeleted: ElementCheck = async ({ payload }, { root }) => {
  const uri = textAt(fieldsAt(fieldsAt(payload, "asset"), "payload"), "url");
  const path = uri === undefined ? undefined : pathOf(root, uri);
  return { files: 0, faults: path !== undefined && existsSync(path) ? [`${uri} is still there`] : [] };
};

const checkCopy: ElementCheck = async (element, made) => {
  const files = filesOf(element, made);
  return { files: files.length, faults: files.length > 0 ? [] : ["copied nothing"] };
};

const checkReport: ElementCheck = async (element, made) => {
  const files = filesOf(element, made);
  const isAsked = element.payload.report !== undefined || listOf(element.payload.reports).length > 0;
  return { files: files.length, faults: isAsked && files.length === 0 ? ["wrote no report"] : [] };
};

/** Each property that was to be measured has values in the job's result. */
const checkAnalysis: ElementCheck = async (element, made) => {
  const report = await checkReport(element, made);
  const tasks = listOf(isFields(made.result) ? made.result.tasks : []);
  const own = tasks.filter(({ element_name }) => element_name === element.uid);
  const { measured, missing } = measuredOf(element, analysesIn(own));
  return { files: report.files + measured, faults: [...report.faults, ...missing] };
};

const checksByKind: Readonly<Record<string, ElementCheck>> = {
  transcode: checkTranscode,
  package: checkPackage,
  delete_asset: checkDeleted,
  copy: checkCopy,
  analyze: checkAnalysis,
  qc: checkReport,
};
