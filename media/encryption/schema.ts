import { z } from "zod";
import { looseBoolean, looseInteger, oneOrMany } from "../../shared/basics/loose-values.ts";
import { location } from "../../shared/files/location.ts";
import { psshBoxOf } from "./pssh-box.ts";

const text = z.string().max(20_000).optional();

const boxText = (system: "playready" | "widevine") =>
  text.refine((value) => !value || psshBoxOf(value, system) !== undefined, {
    error: `is no PSSH box${system === "playready" ? " and no PlayReady object" : ""} in hexadecimal or base64`,
  });

/** How segments are encrypted, and where their key comes from. Keys are hexadecimal, base64 or a uuid. */
export const encryption = z.looseObject({
  id: z.string().max(200).optional(),
  enabled: looseBoolean().default(true),
  schema: z
    .enum(["aes-128-cbc", "sample-aes", "mpeg-cenc", "mpeg-cbc1", "mpeg-cens", "mpeg-cbcs", "none"])
    .default("aes-128-cbc"),
  drm: oneOrMany(z.enum(["playready", "fairplay", "widevine", "clearkey"])).optional(),
  /** Segments to a key. Absent: 12 where AES-128 draws its keys, and one key for everything else. */
  rotation: looseInteger(0).optional(),
  external_key_file: looseBoolean().optional(),
  key_location: location.optional(),
  key_file_pattern: text,
  key: text,
  iv: text,
  key_id: text,
  key_seed: text,
  content_id: text,
  widevine_provider: text,
  widevine_pssh: boxText("widevine"),
  playready_url: text,
  playready_pssh: boxText("playready"),
  playready_version: z.preprocess(withDecimal, z.enum(["4.0", "4.1", "4.2", "4.3"])).optional(),
  fairplay_uri: text,
  clearkey_pssh_version: looseInteger(0).optional(),
  cpix_key: z.looseObject({}).optional(),
});

// A version written as a number loses its decimal: 4 means "4.0".
function withDecimal(value: unknown): unknown {
  if (typeof value !== "number") return value;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
