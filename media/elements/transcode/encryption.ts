import { basenameOf, joinUri, nameOf } from "../../../shared/files/location.ts";
import { placeOf } from "../../../shared/files/place.ts";
import { capabilityError } from "../../../shared/model/failure.ts";
import type { Output } from "../../../shared/work/work.ts";
import { keyFileName, refuseContradictions, rotationOf } from "../../encryption/key-file.ts";
import {
  buildProtection,
  contentKeyOf,
  hasKeyFile,
  type Protection,
  protectionArgs,
  protectionWarnings,
} from "../../encryption/protection.ts";
import { relativeUrl } from "../../formats/relative-url.ts";
import type { Container } from "./containers/container.ts";
import { defaultSegment } from "./containers/segmented.ts";
import type { EncryptionRecipe } from "./recipe.ts";
import type { TargetRequest } from "./target-request.ts";

type Streams = { readonly video: number; readonly audio: number; readonly texts: number };
type Place = { readonly folder: string; readonly name: string };

/** Undefined: in the clear. Throws TaskError for what only a package can encrypt. */
export const planEncryption = (
  request: TargetRequest,
  container: Container,
  place: Place,
  streams: Streams,
): EncryptionRecipe | undefined => {
  const { target, path, extras } = request;
  const { encryption } = target.container ?? {};
  const [uid = "", at = ""] = /^(.*)\.payload\.targets\[(\d+)\]$/.exec(path)?.slice(1) ?? [];
  const protection = encryption && buildProtection(encryption, `targets/${at}/container/encryption`, "KEY", uid);
  if (!protection) return undefined;
  const own: Protection = { ...protection, path: `${path}.container.encryption` };
  if ((target.manifest_uids ?? []).length > 0)
    throw capabilityError(`${path}.manifest_uids is not implemented for encrypted targets: use a package`);
  for (const note of protectionWarnings(own)) extras.warn(note);
  if (container.kinds.includes("hls")) return ofSegments(own, request, place);
  return ofFile(own, request, container, place, streams);
};

const ofSegments = (protection: Protection, request: TargetRequest, place: Place): EncryptionRecipe => {
  const { written, key, iv, path } = protection;
  if (written.schema !== "aes-128-cbc")
    throw capabilityError(
      `${path}.schema "${written.schema}" is not implemented for container "hls": use aes-128-cbc, or a package`,
    );
  refuseContradictions(protection);
  const rotation = rotationOf(protection);
  const file = keyFileOf(protection, request, place, rotation > 0);
  return {
    by: {
      ...{ do: "encrypt_segments", key, iv, ...(rotation > 0 && { rotation }) },
      ...{ keyFile: file.name, url: `${relativeUrl(place.folder, file.folder) ?? ""}{key_file}` },
    },
    ...(written.external_key_file ? { keyAsset: joinUri(file.folder, file.name) } : { keyFile: file }),
  };
};

const ofFile = (
  protection: Protection,
  request: TargetRequest,
  container: Container,
  place: Place,
  { video, audio, texts }: Streams,
): EncryptionRecipe => {
  const { path } = protection;
  const { kind = container.kinds[0] ?? "", segment_duration_sec: seconds = defaultSegment } =
    request.target.container ?? {};
  if (!/^f?mp4$/.test(kind))
    throw capabilityError(`${path} is not implemented for container "${kind}": use hls, mp4 or fmp4, or a package`);
  if (video + audio + texts !== 1 || texts > 0)
    throw capabilityError(
      `${path} is not implemented for ${kind} with several streams: make a target of each, or use a package`,
    );
  const media = { isTransport: false, seconds };
  const keyFile = hasKeyFile(protection) ? keyFileOf(protection, request, place, false) : undefined;
  const args = [`--segment_duration=${seconds}`, `--fragment_duration=${seconds}`];
  return {
    by: {
      ...{ do: "packager", stream: video > 0 ? "video" : "audio" },
      args: [...args, ...protectionArgs(protection, media), "--quiet"],
      key: contentKeyOf(protection, media, keyFile?.name),
    },
    keyFile,
  };
};

const keyFileOf = (
  protection: Protection,
  { target, uri, jobId, path, object }: TargetRequest,
  { folder, name }: Place,
  isRotated: boolean,
): Output => {
  const { key_location: location } = protection.written;
  const usual = `${basenameOf(name)}.key`;
  return {
    version: `${target.uid}_key`,
    ...(location ? placeOf(location, folder, `${path}.container.encryption.key_location`) : { folder, object }),
    name: keyFileName(protection, { usual, sourceName: nameOf(uri), jobId, isRotated }),
    ...{ isSequence: isRotated, existing: "replace" },
  };
};
