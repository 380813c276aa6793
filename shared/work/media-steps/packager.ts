import { z } from "zod";
import { wordOrSecret } from "../../credentials/secret-words.ts";
import { plainName } from "../arguments.ts";
import { stepId } from "../steps/step-id.ts";

/** A content key and the streams that it is for, by the label that their descriptors have. */
const contentKey = z.strictObject({
  label: z.string().regex(/^[A-Za-z0-9_]{1,40}$/),
  /** 32 hexadecimal digits. */
  keyId: z.string().regex(/^[0-9a-f]{32}$/),
  /** Hexadecimal, base64 or a UUID; absent: random. */
  key: wordOrSecret.optional(),
  /** PlayReady's key seed in base64: the key comes from it and the key id. */
  seed: wordOrSecret.optional(),
  iv: wordOrSecret.optional(),
  /** The file in the attempt's folder that gets the key, for players to fetch. */
  file: plainName.optional(),
});

export type ContentKey = z.output<typeof contentKey>;

/** Runs Shaka Packager in the attempt's folder. Keys reach it in a file that nobody else may read. */
export const packagerStep = z.strictObject({
  do: z.literal("packager"),
  id: stepId,
  /** Plain names that the descriptors use -> assets, or outputs made before; several are the segments of one WebVTT text. */
  inputs: z.record(
    plainName,
    z.union([z.string(), z.array(z.string()).max(20_000), z.strictObject({ out: z.string() })]),
  ),
  argv: z.array(z.string().max(16_000)).max(1000),
  keys: z.array(contentKey).max(100),
});
