import type { z } from "zod";
import { hexOfBytes } from "../../shared/basics/hex.ts";
import { xmlText } from "../../shared/basics/xml-text.ts";
import type { WordOrSecret } from "../../shared/credentials/secret-words.ts";
import { capabilityError, definitionError } from "../../shared/model/failure.ts";
import { parseHexKey, parseIv } from "../packaging/parse-keys.ts";
import { psshBoxOf } from "./pssh-box.ts";
import type { encryption } from "./schema.ts";

type Encryption = z.output<typeof encryption>;

/** How media are encrypted. Keys are named by their path in the payload. */
export type Protection = {
  /** Label of its key in the packager's command. */
  readonly label: string;
  readonly written: Encryption;
  readonly key: WordOrSecret | undefined;
  /** PlayReady's seed, which the key comes from. */
  readonly seed?: WordOrSecret;
  readonly iv: WordOrSecret | undefined;
  readonly path: string;
};

/** What is encrypted: transport streams or fragments, in segments of so many seconds. */
type Media = { readonly isTransport: boolean; readonly seconds: number };

/** `place` is its path in the payload: `encryptions/0`. Undefined where it asks for nothing. */
export const buildProtection = (
  written: Encryption,
  place: string,
  label: string,
  uid: string,
): Protection | undefined => {
  if (!written.enabled || written.schema === "none") return undefined;
  const path = `${uid}.payload.${place.replace("/", "[").replace(/(\d)$/, "$1]")}`;
  if (written.cpix_key) throw capabilityError(`${path}.cpix_key is not implemented`);
  const isSeeded = Boolean(written.key_seed) && !written.key;
  if (isSeeded && written.schema === "aes-128-cbc")
    throw definitionError(`${path}.key_seed needs a key id, which aes-128-cbc does not have: give the key`);
  const secret = (field: "key" | "key_seed"): WordOrSecret | undefined =>
    written[field] ? { secret: `${place}/${field}` } : undefined;
  const seed = isSeeded ? secret("key_seed") : undefined;
  return { label, written, key: secret("key"), ...(seed && { seed }), iv: written.iv || undefined, path };
};

/** Common encryption's schemes; SAMPLE-AES of fragments is `cbcs`. */
const schemes: Readonly<Record<string, string>> = {
  "mpeg-cenc": "cenc",
  "mpeg-cbc1": "cbc1",
  "mpeg-cens": "cens",
  "mpeg-cbcs": "cbcs",
  "sample-aes": "cbcs",
};

const systems = {
  widevine: "Widevine",
  playready: "PlayReady",
  fairplay: "FairPlay",
  clearkey: "CommonSystem",
} as const;

/** The packager's options for a protection, without its key. */
export const protectionArgs = ({ written, path }: Protection, shape: Media): string[] => {
  const scheme = schemes[written.schema];
  if (!scheme) throw capabilityError(`${path}.schema "${written.schema}" needs transport stream segments`);
  if (shape.isTransport && written.schema !== "sample-aes")
    throw capabilityError(`${path}.schema "${written.schema}" needs segmentation_mode fmp4 or segmented_mp4`);
  const drm = [written.drm ?? []].flat();
  const boxes = (["widevine_pssh", "playready_pssh"] as const).flatMap((field) => {
    const box = written[field];
    return box ? [boxHex(box, field === "playready_pssh" ? "playready" : "widevine", `${path}.${field}`)] : [];
  });
  return [
    "--enable_raw_key_encryption",
    `--protection_scheme=${scheme}`,
    "--clear_lead=0",
    ...(written.rotation ? [`--crypto_period_duration=${written.rotation * shape.seconds}`] : []),
    ...(boxes.length > 0
      ? [`--pssh=${boxes.join("")}`]
      : [`--protection_systems=${drm.length > 0 ? drm.map((each) => systems[each]).join(",") : systems.clearkey}`]),
    ...(written.fairplay_uri ? [`--hls_key_uri=${written.fairplay_uri}`] : []),
    ...(written.playready_url
      ? [`--playready_extra_header_data=<LA_URL>${xmlText(written.playready_url)}</LA_URL>`]
      : []),
  ];
};

const boxHex = (text: string, system: "playready" | "widevine", path: string): string => {
  const box = psshBoxOf(text, system);
  if (box) return hexOfBytes(box);
  throw definitionError(`${path} is no PSSH box in hexadecimal or base64`);
};

/** Its key as the packager's step wants it; `file` is where players fetch it, if they do. */
export const contentKeyOf = (
  { label, written, key, seed, iv, path }: Protection,
  { isTransport }: Pick<Media, "isTransport">,
  file: string | undefined,
) => {
  // Transport streams have no place for the id.
  const id = written.key_id ?? (isTransport && !seed ? noId : undefined);
  if (id === undefined)
    throw definitionError(`${path}.key_id is missing: ${seed ? "key_seed" : written.schema} needs one`);
  if (key === undefined && seed === undefined && file === undefined)
    throw definitionError(`${path}.key is missing: this farm asks no key server`);
  if (typeof iv === "string") checkIv(iv, written.schema, `${path}.iv`);
  return { label, keyId: parseHexKey(id, `${path}.key_id`), key, seed, iv, file };
};

/** A counter begins with 8 or 16 bytes (ISO/IEC 23001-7, 9.1); what is chained needs a whole block. */
const checkIv = (iv: string, schema: Encryption["schema"], path: string): void => {
  const isCounter = schema === "mpeg-cenc" || schema === "mpeg-cens";
  if (parseIv(iv, path).length < 32 && !isCounter)
    throw definitionError(`${path} has 8 bytes, which only mpeg-cenc and mpeg-cens take: ${schema} needs 16`);
};

const noId = "0".repeat(32);

/** Whether players fetch its key from a file: SAMPLE-AES without a system, or with a place for the file. */
export const hasKeyFile = ({ written, path }: Protection): boolean => {
  const { schema, drm = [], fairplay_uri, key_location, key_file_pattern, rotation, external_key_file } = written;
  const isOpen = schema === "sample-aes" && [drm].flat().length === 0 && !fairplay_uri;
  if (!isOpen && key_location === undefined && key_file_pattern === undefined) return false;
  if (external_key_file)
    throw capabilityError(`${path}.external_key_file is implemented for aes-128-cbc: give ${path}.key`);
  if (rotation) throw capabilityError(`${path}.rotation is not implemented for keys in files, but for aes-128-cbc`);
  return true;
};

/** Notes on fields of a protection that change nothing here, and on what its reader should know. */
export const protectionWarnings = ({ written, path }: Protection): string[] => [
  ...(written.key && written.key_seed ? [`${path}.key_seed has no effect: ${path}.key is the key`] : []),
  ...(written.widevine_provider ? [`${path}.widevine_provider has no effect: keys are not asked of a key server`] : []),
  ...(written.playready_version ? [`${path}.playready_version has no effect: headers of version 4.0 are written`] : []),
  ...(written.content_id ? [`${path}.content_id has no effect: boxes name keys by their key_id`] : []),
  ...((written.clearkey_pssh_version ?? 1) === 1
    ? []
    : [`${path}.clearkey_pssh_version has no effect: the boxes have version 1, which names the key ids`]),
  ...(written.rotation && written.schema !== "aes-128-cbc"
    ? [
        `${path}.rotation: key and key_id of each period are those of the first, turned left by one byte a period; who has one key has all`,
      ]
    : []),
];
