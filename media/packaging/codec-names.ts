import type { AudioFacts, VideoFacts } from "../../shared/model/asset.ts";

const hex = (value: number): string => value.toString(16).padStart(2, "0");

/** profile_idc and constraint flags of H.264's profiles, as RFC 6381 writes them. */
const h264: Readonly<Record<string, string>> = {
  "Constrained Baseline": "42c0",
  Baseline: "4200",
  Main: "4d40",
  High: "6400",
  "High 10": "6e00",
  "High 4:2:2": "7a00",
};

/** A stream's codec as manifests name it (RFC 6381); undefined where there is no name for it. */
export const videoCodecName = (
  { codec, profile = "", level = 0, pixelFormat = "" }: VideoFacts,
  hevc = "hvc1",
): string | undefined => {
  if (codec === "h264") return `avc1.${h264[profile] ?? "6400"}${hex(level > 0 ? level : 31)}`;
  if (codec === "hevc") {
    const isTen = profile === "Main 10" || /10/.test(pixelFormat);
    return `${hevc}.${isTen ? "2.4" : "1.6"}.L${level > 0 ? level : 93}.B0`;
  }
  if (codec === "av1") return "av01.0.04M.08";
  return codec === "vp9" ? "vp09.00.30.08" : undefined;
};

export const audioCodecName = ({ codec, profile }: AudioFacts): string | undefined => {
  if (codec === "aac") return { "HE-AAC": "mp4a.40.5", "HE-AACv2": "mp4a.40.29" }[profile ?? ""] ?? "mp4a.40.2";
  return { ac3: "ac-3", eac3: "ec-3", opus: "opus", flac: "fLaC", mp3: "mp4a.40.34" }[codec];
};
