import { ratio } from "../../../../shared/basics/rational.ts";
import { nameOf } from "../../../../shared/files/location.ts";
import type { Asset, MediaFacts, Sidecar } from "../../../../shared/model/asset.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";

const textName = /\.(srt|vtt|webvtt|ttml|dfxp|ass|ssa|scc|mcc|stl)$/i;

/** An asset with its subtitle files beside its media, whatever brought them. */
export const withTextsAside = (asset: Asset): Asset => {
  const isText = ({ uri }: Asset["files"][number]) => textName.test(nameOf(uri));
  if (asset.sections || !asset.files.some(isText)) return asset;
  const language = asset.layer?.subtitle?.[0]?.language;
  const texts = asset.files.filter(isText).map(({ uri }): Sidecar => {
    return { uri, kind: "subtitle", ...(language !== undefined && { language }) };
  });
  return {
    ...asset,
    files: asset.files.filter((file) => !isText(file)),
    sidecars: [...(asset.sidecars ?? []), ...texts],
  };
};

/** The source of targets without picture or sound: subtitles alone. */
export const silentSource: VirtualSource = {
  inputs: [],
  tracks: [],
  facts: { format: "none", size: 0, video: [], audio: [], others: [] },
  timing: { slack: ratio(0), isRegular: false, isWhole: true },
};

/** Facts for conditions: files of subtitles count as tracks, behind those in the media. */
export const withTextTracks = (facts: MediaFacts, sidecars: readonly Sidecar[]): MediaFacts => {
  const texts = sidecars.filter(({ kind }) => kind !== "metadata");
  const first = 1 + Math.max(-1, ...[...facts.video, ...facts.audio, ...facts.others].map(({ index }) => index));
  const tracks = texts.map(({ language, format = "text" }, at) => ({
    ...{ index: first + at, kind: "subtitle", codec: format, timeBase: ratio(1, 1000) },
    ...(language !== undefined && { language }),
  }));
  return tracks.length > 0 ? { ...facts, others: [...facts.others, ...tracks] } : facts;
};
