import type { Layer, TrackLayer } from "../../layer.ts";
import { languageOf } from "../transcode/audio/language.ts";
import type { Component } from "./components.ts";

/** What packagers are told of a version that nothing transcodes; undefined where its contents say nothing. */
export const layerOfVersion = (components: readonly Component[]): Layer | undefined => {
  const contents = components.flatMap((each) => each.contents ?? []);
  const ofKind = (kind: string) => contents.filter((each) => each.kind === kind).map(trackOf);
  const [[video], audio] = [ofKind("video"), ofKind("audio")];
  const said = (track: TrackLayer | undefined) => track !== undefined && Object.keys(track).length > 0;
  const layer: Layer = { ...(said(video) && { video }), ...(audio.some(said) && { audio }) };
  return Object.keys(layer).length > 0 ? layer : undefined;
};

type Content = NonNullable<Component["contents"]>[number];

const trackOf = ({ layer_id, layer_affinities, language, payload }: Content): TrackLayer => {
  const spoken = languageOf(language ?? payload?.language);
  return {
    ...(layer_id !== undefined && { id: layer_id }),
    ...(layer_affinities && { affinities: [layer_affinities].flat() }),
    ...(spoken !== undefined && { language: spoken }),
  };
};
