import { buildMediaInfo } from "../../../media/formats/media-info.ts";
import { audioCodecName, videoCodecName } from "../../../media/packaging/codec-names.ts";
import { toNumber } from "../../../shared/basics/rational.ts";
import { redactText } from "../../../shared/credentials/redact.ts";
import { decodeOnce, nameOf } from "../../../shared/files/location.ts";
import type { Asset, AssetFile } from "../../../shared/model/asset.ts";
import { isoTime } from "../../iso-time.ts";

/** An asset in the form of a result: its location, and its files with their facts. */
export const buildVersion = (asset: Asset, checked: number | null) =>
  versionOf({ ...asset, files: asset.files.map(withoutSecrets) }, checked);

/** Its address as others may read it. */
const withoutSecrets = (file: AssetFile): AssetFile => ({ ...file, uri: redactText(file.uri) });

const versionOf = ({ version, files }: Asset, checked: number | null) => ({
  version_uid: version,
  creator_uid: version,
  location: { storage_provider: providerOf(files[0]?.uri), path: folderOf(files[0]?.uri ?? "") },
  asset_descriptor: descriptorOf(files[0]),
  asset_components: files.map((file, index) => ({
    kind: "name",
    name: nameOf(file.uri),
    component_uid: `asset_${index}`,
    creator_uid: version,
    url: file.uri,
    ...buildComponent(file, checked),
  })),
});

/** The location of a file, its size, and its media facts if they are known. */
export const buildComponent = (file: AssetFile, checked: number | null) => ({
  location: { storage_provider: providerOf(file.uri), path: folderOf(file.uri) },
  descriptor: {
    size: file.size,
    mtime: file.modified === undefined ? undefined : isoTime(Math.round(file.modified)),
    checked: checked ?? undefined,
    provider: providerOf(file.uri),
    location: file.uri,
  },
  ...(file.facts && { media_analyze: { media_info: buildMediaInfo(file.facts, fileOf(file)) } }),
});

const fileOf = ({ uri, modified }: AssetFile) => ({
  url: uri,
  modified: modified === undefined ? undefined : Math.round(modified),
});

const descriptorOf = (file: AssetFile | undefined) => {
  const { video: [video] = [], audio = [] } = file?.facts ?? {};
  const rate = video && (video.frameRate ?? video.averageFrameRate);
  const [picture, ...sounds] = [video && videoCodecName(video), ...audio.map(audioCodecName)];
  const mimes = [picture, ...sounds].filter((name) => name !== undefined);
  return {
    ...(mimes.length > 0 && { hls_mime: mimes.join(",") }),
    ...(video && { video: { hls_mime: picture, width: video.width, height: video.height } }),
    ...(audio.length > 0 && { audio: sounds.map((name) => ({ hls_mime: name })) }),
    ...(rate && { hls_frame_rate: Number(toNumber(rate).toFixed(3)) }),
    ...(file?.facts?.bitRate && { avg_bitrate_bps: Math.round(file.facts.bitRate) }),
  };
};

const providerOf = (uri = ""): string => /^([a-z0-9+.-]+):/i.exec(uri)?.[1] ?? "file";

/** Clients join it with a component's name: a local folder is a plain path. */
const folderOf = (uri: string): string => {
  const folder = uri.slice(0, uri.lastIndexOf("/"));
  return folder.startsWith("file://") ? decodeOnce(folder.slice("file://".length)) : folder;
};
