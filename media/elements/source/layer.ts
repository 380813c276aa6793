import { defined } from "../../../shared/basics/defined.ts";
import { type Layer, type TrackLayer, trackRole } from "../../../shared/model/layer.ts";
import { languageOf } from "../../formats/language.ts";
import type { Component } from "./components.ts";

/** What packagers are told of a version that nothing transcodes; undefined where its contents say nothing. */
export const layerOfVersion = (components: readonly Component[]): Layer | undefined => {
  const contents = components.flatMap((each) => each.contents ?? []);
  const ofKind = (kind: string) =>
    contents
      .filter((each) => each.kind === kind)
      .map(({ language, payload, ...each }) => trackLayerOf({ ...each, language: language ?? payload?.language }));
  const [[video], audio] = [ofKind("video"), ofKind("audio")];
  const said = (track: TrackLayer | undefined) => track !== undefined && Object.keys(track).length > 0;
  const layer: Layer = { ...(said(video) && { video }), ...(audio.some(said) && { audio }) };
  return Object.keys(layer).length > 0 ? layer : undefined;
};

type Track = {
  readonly layer_id?: string | undefined;
  readonly layer_affinities?: string | readonly string[] | undefined;
  readonly track_group_id?: string | undefined;
  readonly language?: string | undefined;
  readonly track_name?: string | undefined;
  readonly disposition?: string | undefined;
};

/** What a track of a job says of its layer; an empty object where it says nothing. */
export const trackLayerOf = ({ layer_affinities: affinities, ...track }: Track): TrackLayer =>
  defined({
    ...{
      id: track.layer_id,
      affinities: affinities === undefined ? undefined : [affinities].flat(),
      group: track.track_group_id,
    },
    ...{ language: languageOf(track.language), name: track.track_name },
    isDefault: track.disposition === "default" || undefined,
    role: trackRole.safeParse(track.disposition).data,
  });
