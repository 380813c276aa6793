import { lstat, readdir } from "node:fs/promises";
import { dirname, extname, join, sep } from "node:path";
import { namesDatabase } from "../../shared/files/data-folder.ts";
import { joinUri, nameOf } from "../../shared/files/location.ts";
import { isSectionFile } from "../../shared/files/section-files.ts";
import { TaskError } from "../../shared/model/failure.ts";
import { type IntentFile, isFolder, type Output, type Step, type Work } from "../../shared/work/work.ts";
import { checksumOf } from "../disk/checksum.ts";
import { syncFolder } from "../disk/file-system.ts";
import { byNumber } from "../disk/numbered-names.ts";
import { mapInParallel } from "../disk/parallel.ts";
import { refusedName } from "../paths/path-resolver.ts";
import { isMadeInPlace, type ResolvedOutput, type ResolvedPaths } from "../paths/resolved-paths.ts";
import { checkedFacts } from "../steps/checked-facts.ts";
import { flushAndReadIdentity, readIdentity } from "../storage/file/identity.ts";
import { firstFree } from "../storage/free-name.ts";
import type { MediaTools } from "../tools/media-tools.ts";

export type VerifyNeeds = {
  readonly work: Work;
  readonly paths: ResolvedPaths;
  readonly tools: MediaTools;
  readonly signal: AbortSignal;
  /** Called while long files are read. */
  readonly moved: () => void;
};

/** A made file that matches the request, with its temporary and final names. */
export type Verified = { readonly path: string; readonly place: ResolvedOutput; readonly file: IntentFile };

/** Checking a file is mostly waiting for ffprobe to start and for the disk. */
const atOnce = 2;

/**
 * Checks the made files against the request, two outputs at a time, and describes them so that any node can publish
 * them.
 */
export const verifyOutputs = async ({ work, paths, tools, signal, moved }: VerifyNeeds): Promise<Verified[]> => {
  const copied = new Set(work.steps.flatMap(outputsCopied));
  const mayBeEmpty = new Set([...copied, ...work.steps.flatMap(outputsOfTexts)]);
  const encrypted = new Set(work.steps.flatMap(outputsEncrypted));
  const examined = await mapInParallel([...paths.outputs.values()], atOnce, (place) =>
    examine(place, {
      ...{ mayBeEmpty: mayBeEmpty.has(place.id), isCopied: copied.has(place.id), isEncrypted: encrypted.has(place.id) },
      ...{ tools, signal, moved },
    }),
  );
  const verified: Verified[] = [];
  const taken = new Set<string>();
  // One after the other: no two outputs may choose the same free name.
  for (const { place, path, final: wanted, ...file } of examined.flat()) {
    const final = await freeFinal(place, wanted, taken);
    verified.push({ path, place, file: { ...file, output: place.id, final, existing: place.output.existing } });
  }
  return verified;
};

/** A copy of an empty file is one too. */
const outputsCopied = (step: Step): string[] => (step.do === "copy" ? step.files.map(({ to }) => to) : []);

/** SRT without subtitles has no header. */
const outputsOfTexts = (step: Step): string[] => (step.do === "subtitles" && "out" in step.to ? [step.to.out] : []);

/** They were checked before they were encrypted: of ciphertext, a probe guesses. */
const outputsEncrypted = (step: Step): string[] => {
  if (step.do === "packager") return Object.values(step.inputs).flatMap((each) => (isOutput(each) ? [each.out] : []));
  return step.do === "encrypt_segments" && !Array.isArray(step.playlists) ? [step.playlists.out] : [];
};

const isOutput = (input: object | string): input is { readonly out: string } =>
  typeof input === "object" && "out" in input;

type Examining = Pick<VerifyNeeds, "tools" | "signal" | "moved"> & {
  readonly mayBeEmpty: boolean;
  /** The agent's own copy, which may be a link to what is sent on as it is. */
  readonly isCopied: boolean;
  readonly isEncrypted: boolean;
};

/** All files of one output: their identities, and the facts of the first. */
const examine = async (
  place: ResolvedOutput,
  { mayBeEmpty, isCopied, isEncrypted, tools, signal, moved }: Examining,
) => {
  signal.throwIfAborted();
  const made = await filesOf(place);
  const examined = [];
  for (const [index, each] of made.entries()) {
    const identity = await identified(place, each, isCopied);
    if (identity.size === 0 && !mayBeEmpty) throw new TaskError("media", `${place.output.name} is empty`);
    const request = { place, tools, signal, path: each.path, size: identity.size };
    const facts = index === 0 && !isEncrypted ? await checkedFacts(request) : undefined;
    const isSummed = !isCopied && made.length <= mostSummed && !isSectionFile(nameOf(each.final));
    const sum = isSummed ? await checksumOf(each.path, { signal, moved }) : undefined;
    examined.push({ place, ...each, ...identity, facts, ...(sum && { checksum: sum }) });
  }
  if (isMadeInPlace(place)) await syncFolders(made);
  return examined;
};

/** Checksums of more files than this would make a commit too long. */
const mostSummed = 1000;

/** One made file with its source and target address. */
type MadeFile = { readonly path: string; readonly temp: string; readonly final: string };

const filesOf = async ({ output, made, tempUri, finalUri }: ResolvedOutput): Promise<MadeFile[]> => {
  if (!isFolder(output)) return [{ path: made, temp: tempUri, final: finalUri }];
  const names = inOrder(await filesBelow(made), output);
  const refused = names.find((name) => name.split("/").some(namesDatabase));
  if (refused !== undefined) throw refusedName(refused);
  const least = Math.max(1, output.expect?.files ?? 1);
  if (names.length < least) {
    throw new TaskError("media", `${output.name}: ${names.length} files were made, expected at least ${least}`);
  }
  if (output.isPackage && names.at(-1) !== output.name) {
    throw new TaskError("media", `${output.name}: the tool succeeded, but did not create the file`);
  }
  return names.map((name) => ({
    path: join(made, name),
    temp: name.split("/").reduce(joinUri, tempUri),
    final: name.split("/").reduce(joinUri, output.folder),
  }));
};

/** All files below a folder, as relative paths with `/`. */
const filesBelow = async (folder: string): Promise<string[]> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const strange = found.find((each) => !each.isDirectory() && !each.isFile());
  if (strange) throw notPlain(strange.name);
  return found
    .filter((each) => each.isFile())
    .map((each) =>
      join(each.parentPath, each.name)
        .slice(folder.length + 1)
        .replaceAll(sep, "/"),
    );
};

/** What other files need comes first: a fragment cannot be read without its header, nor a playlist without its media. */
const ranks: Readonly<Record<string, number>> = { ".m4s": 1, ".m3u8": 2, ".mpd": 2 };

/** Headers, fragments, media playlists, then the main one: the files that another one needs always exist before it. */
const inOrder = (names: readonly string[], { name: main, isPackage }: Output): string[] => {
  const rank = (name: string): number => (isPackage && name === main ? 3 : (ranks[extname(name)] ?? 0));
  return [...names].sort((a, b) => rank(a) - rank(b) || depth(b) - depth(a) || byNumber(a, b));
};

const depth = (name: string): number => name.split("/").length;

/** Flushes a file that stays where it was made. A file that is sent on is flushed at its destination. */
const identified = async (place: ResolvedOutput, { path }: MadeFile, isCopied: boolean) => {
  const found = isCopied ? undefined : await lstat(path).catch(() => undefined);
  if (found && !found.isFile()) throw notPlain(place.output.name);
  const identity = await (isMadeInPlace(place) ? flushAndReadIdentity(path) : readIdentity(path));
  if (identity) return identity;
  throw new TaskError("media", `${place.output.name}: the tool succeeded, but did not create the file`);
};

/** A link would be followed to a file that the task never made, and a pipe would never end. */
const notPlain = (name: string): TaskError =>
  new TaskError("media", `${name}: what a program makes must be a plain file, and this is a link, a pipe or a device`);

const syncFolders = async (made: readonly MadeFile[]): Promise<void> => {
  for (const folder of new Set(made.map(({ path }) => dirname(path)))) await syncFolder(folder);
};

/** `rename_new` decides on a name now, so that a crash later finds it in the intent. */
const freeFinal = async ({ output, storage }: ResolvedOutput, final: string, taken: Set<string>): Promise<string> => {
  if (output.existing !== "rename_new") return final;
  const uri = await firstFree(final, async (each) => taken.has(each) || (await storage.stat(each)) !== undefined);
  taken.add(uri);
  return uri;
};
