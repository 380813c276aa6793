import { randomBytes } from "node:crypto";
import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { parseHexKey, parseIv } from "../../../media/packaging/parse-keys.ts";
import type { SubtitleSource } from "../../../media/subtitles/convert.ts";
import { sourceError } from "../../../shared/model/failure.ts";
import { shellCommand } from "../../../shared/texts/shell.ts";
import type { ContentKey } from "../../../shared/work/media-steps/packager.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import { checkedFacts } from "../checked-facts.ts";
import { refuseLargeText, subtitleSource } from "../media/subtitles.ts";
import { inputNamed, outputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";
import { keyOfSeed } from "./key-seed.ts";

/** Runs the packager in the attempt's folder, where its inputs have simple names and its keys are in a file. */
export const performPackager: Performer<"packager"> = async (step, context) => {
  const { scratch, log, tools, signal, onUsage } = context;
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  for (const [name, asset] of Object.entries(step.inputs)) {
    const path = join(scratch, name);
    if (Array.isArray(asset)) await joinTexts(path, asset, context);
    else if (typeof asset === "string") await linkInput(path, asset, context);
    else await linkOutput(path, asset.out, context);
  }
  const keys = await keyArgs(step, context);
  log.line(`$ packager ${shellCommand(step.argv)}`);
  const { cpuMs, peakMemory } = await tools.packager({
    args: [...step.argv, ...keys],
    cwd: scratch,
    signal,
    onStderr: (text) => log.append(text),
  });
  onUsage({ cpuMs, peakMemory });
};

const linkInput = async (link: string, asset: string, context: StepContext): Promise<void> => {
  const input = inputNamed(asset, context);
  if (extname(link) === ".vtt" && extname(input.path) === "") throw sourceError(`${input.uri} is not a file`);
  await symlink(input.path, link);
};

/** What is encrypted is checked before: nobody can check it afterwards. */
const linkOutput = async (link: string, out: string, context: StepContext): Promise<void> => {
  const place = outputNamed(out, context);
  const { tools, signal } = context;
  await checkedFacts({ place, path: place.made, size: (await stat(place.made)).size, tools, signal });
  await symlink(place.made, link);
};

const joinTexts = async (path: string, assets: readonly string[], context: StepContext): Promise<void> => {
  const { signal } = context;
  const sources: SubtitleSource[] = [];
  let size = 0;
  for (const asset of assets) {
    signal.throwIfAborted();
    const source = await subtitleSource({ asset }, context);
    sources.push(source);
    size += source.bytes.length;
    refuseLargeText(source.name, size);
  }
  const wish = { size, what: sources[0]?.name ?? "the subtitles", signal };
  await writeFile(path, await context.services.read("joined_subtitles", sources, wish));
};

/** Keys are never in a command line, which every user of the machine can read. */
const keyArgs = async ({ id, keys }: StepOf<"packager">, { scratch, secret }: StepContext): Promise<string[]> => {
  if (keys.length === 0) return [];
  const list: string[] = [];
  for (const each of keys) {
    const { label, keyId, iv, file } = each;
    const digits = digitsOf(each, secret);
    const fields = [`label=${label}`, `key_id=${keyId}`, `key=${digits}`];
    list.push([...fields, ...(iv === undefined ? [] : [`iv=${parseIv(secret(iv), `${label}'s iv`)}`])].join(":"));
    if (file !== undefined) await writeFile(join(scratch, file), Buffer.from(digits, "hex"), { mode: 0o600 });
  }
  const file = join(scratch, `${id}.flags`);
  await writeFile(file, `--keys=${list.join(",")}\n`, { mode: 0o600 });
  return [`--flagfile=${file}`];
};

const digitsOf = ({ label, keyId, key, seed }: ContentKey, secret: StepContext["secret"]): string => {
  if (key !== undefined) return parseHexKey(secret(key), `${label}'s key`);
  return seed === undefined ? randomBytes(16).toString("hex") : keyOfSeed(secret(seed), keyId);
};
