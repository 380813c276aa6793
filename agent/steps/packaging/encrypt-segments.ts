import { createCipheriv, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { parseHexKey } from "../../../media/packaging/parse-keys.ts";
import { type SegmentKey, withKeys } from "../../../media/packaging/segment-keys.ts";
import { sourceError } from "../../../shared/model/failure.ts";
import type { StepOf } from "../../../shared/work/work.ts";
import type { ResolvedOutput } from "../../paths/resolved-paths.ts";
import { checkedFacts } from "../checked-facts.ts";
import { inputNamed, outputNamed } from "../named-files.ts";
import type { Performer, StepContext } from "../step.ts";

type EncryptStep = StepOf<"encrypt_segments">;

/** Encrypts where the segments lie: each is replaced once its encrypted form is whole. */
export const performEncryptSegments: Performer<"encrypt_segments"> = async (step, context) => {
  const { scratch, log, secret } = context;
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const iv = step.iv === undefined ? undefined : parseHexKey(secret(step.iv), "The iv");
  const keys = createKeys(step, await givenKey(step, context), context);
  const { folder, names, place } = playlistsOf(step, context);
  for (const playlist of names) {
    const text = await readFile(join(folder, playlist), "utf8");
    const period = (segment: number) => (step.rotation === undefined ? 0 : Math.floor(segment / step.rotation));
    const keyed = withKeys(text, (segment) => ({
      url: step.url.replaceAll("{key_file}", keys.name(period(segment))),
      iv,
    }));
    const [first] = keyed.segments;
    if (place && first) await check(join(folder, first.name), place, context);
    for (const [number, segment] of keyed.segments.entries())
      await encrypt(segment, await keys.of(period(number)), { ...context, folder });
    await writeFile(join(folder, playlist), keyed.text);
  }
  log.line(`${keys.count()} segment keys, ${step.key === undefined ? "random" : "the job's"}`);
};

const playlistsOf = ({ playlists }: EncryptStep, context: StepContext) => {
  if (Array.isArray(playlists)) return { folder: context.scratch, names: playlists, place: undefined };
  const place = outputNamed(playlists.out, context);
  return { folder: place.made, names: [place.output.name], place };
};

/** Nobody can check an encrypted segment, so the first is checked before. */
const check = async (path: string, place: ResolvedOutput, { tools, signal }: StepContext): Promise<void> => {
  await checkedFacts({ place, path, size: (await stat(path)).size, tools, signal });
};

const encrypt = async (
  { name, iv }: SegmentKey,
  key: Buffer,
  { folder, signal, pause }: StepContext & { readonly folder: string },
): Promise<void> => {
  await pause?.();
  const [clear, made] = [join(folder, name), join(folder, `${name}.encrypted`)];
  const cipher = createCipheriv("aes-128-cbc", key, Buffer.from(iv, "hex"));
  await pipeline(createReadStream(clear), cipher, createWriteStream(made, { flags: "wx" }), { signal });
  await rename(made, clear);
};

/** A key for each period; each is written when it is first needed. */
const createKeys = ({ keyFile, key: said }: EncryptStep, given: Buffer | undefined, { scratch }: StepContext) => {
  const known = new Map<number, Buffer>();
  const name = (period: number): string =>
    keyFile.replace(/%0?(\d*)d/, (_, digits: string) => String(period).padStart(Number(digits || 1), "0"));
  return {
    name,
    count: () => known.size,
    of: async (period: number): Promise<Buffer> => {
      const key = known.get(period) ?? given ?? randomBytes(16);
      const isNew = !known.has(period);
      known.set(period, key);
      // A key that lies where players fetch it is not written again.
      const isThere = typeof said === "object" && "asset" in said;
      if (isNew && !isThere) await writeFile(join(scratch, name(period)), key, { mode: 0o600 });
      return key;
    },
  };
};

const givenKey = async ({ key }: EncryptStep, context: StepContext): Promise<Buffer | undefined> => {
  if (key === undefined) return undefined;
  if (typeof key === "string" || !("asset" in key))
    return Buffer.from(parseHexKey(context.secret(key), "The key"), "hex");
  const input = inputNamed(key.asset, context);
  const { size } = await stat(input.path);
  if (size > 100) throw sourceError(`${input.uri} is not a key: it has ${size} bytes`);
  const bytes = await readFile(input.path);
  return bytes.length === 16
    ? bytes
    : Buffer.from(parseHexKey(bytes.toString("latin1"), "The key in key_location"), "hex");
};
