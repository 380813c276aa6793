import { z } from "zod";
import { wordOrSecret } from "../../credentials/secret-words.ts";
import { plainName } from "../arguments.ts";
import { stepId } from "../steps/step-id.ts";

/** A plain name with one number in it. */
const numberedName = z.string().regex(/^[A-Za-z0-9_][\w.-]*%0?\d*d[\w.-]*$/);

/**
 * Encrypts the segments of playlists by AES-128 as HLS has it, and has the playlists say so. The same segment of each
 * playlist has the same key. Without a key, keys are random.
 */
export const encryptSegmentsStep = z.strictObject({
  do: z.literal("encrypt_segments"),
  id: stepId,
  /** In the attempt's folder, or an output whose segments lie beside it. */
  playlists: z.union([z.array(plainName).min(1).max(200), z.strictObject({ out: z.string() })]),
  /** Hexadecimal, base64 or a UUID; or a file that holds it. */
  key: z.union([wordOrSecret, z.strictObject({ asset: z.string() })]).optional(),
  /** Absent: the number of the segment. */
  iv: wordOrSecret.optional(),
  /** Segments that share a key. Absent: all. */
  rotation: z.number().int().positive().optional(),
  /** Where the keys are written, which players fetch; numbered where there are several. */
  keyFile: plainName.or(numberedName),
  /** How players find a key: a text with `{key_file}`. */
  url: z.string().max(4000),
});
