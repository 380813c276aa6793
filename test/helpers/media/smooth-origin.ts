import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * What an origin server of Smooth Streaming answers for an address below a server's manifest: the players' manifest, or the
 * bytes of one fragment, found by the index that the files carry at their end. Undefined for what is not there.
 */
export const smoothAnswer = (path: string): Buffer | undefined => {
  const [, manifest = "", asked = ""] = /^(.*\.ism)\/(.+)$/.exec(path) ?? [];
  if (asked === "") return undefined;
  const smil = readFileSync(manifest, "utf8");
  if (asked === "Manifest") {
    const [, client = ""] = /name="clientManifestRelativePath" content="([^"]+)"/.exec(smil) ?? [];
    return readFileSync(join(dirname(manifest), decodeURIComponent(client)));
  }
  const [, bitrate, name, time] = /^QualityLevels\((\d+)\)\/Fragments\((.+)=(\d+)\)$/.exec(asked) ?? [];
  const tracks = smil.split(/<(?=video|audio)/).slice(1);
  const track = tracks.find((each) => each.includes(`systemBitrate="${bitrate}"`) && each.includes(`value="${name}"`));
  const [, source] = /src="([^"]+)"/.exec(track ?? "") ?? [];
  return source
    ? fragmentAt(readFileSync(join(dirname(manifest), decodeURIComponent(source))), BigInt(time ?? 0))
    : undefined;
};

/** By the `tfra` box at the end of the file (ISO/IEC 14496-12, 8.8.10), whose entries have times and places of 64 bits. */
const fragmentAt = (file: Buffer, time: bigint): Buffer | undefined => {
  const end = file.readUInt32BE(file.length - 4);
  const box = file.subarray(file.length - end + 8);
  if (box.toString("latin1", 4, 8) !== "tfra" || box[8] !== 1)
    throw new Error("the file has no index of its fragments");
  const sizes = box.readUInt32BE(16);
  const entry = 16 + 3 + ((sizes >> 4) & 3) + ((sizes >> 2) & 3) + (sizes & 3);
  const count = box.readUInt32BE(20);
  for (let at = 24; at < 24 + count * entry; at += entry) {
    if (box.readBigUInt64BE(at) !== time) continue;
    const from = Number(box.readBigUInt64BE(at + 8));
    const data = from + file.readUInt32BE(from);
    return file.subarray(from, data + file.readUInt32BE(data));
  }
  return undefined;
};
