import { defined } from "../../../shared/basics/defined.ts";
import type { Layer, TrackLayer } from "../../../shared/model/layer.ts";
import { trackLayerOf } from "../source/layer.ts";
import type { Target } from "./target-schema.ts";

/** What packagers after a target must know about it; undefined where it says nothing. */
export const layerOf = ({ encryption_id, video, audio = [], subtitle = [] }: Target): Layer | undefined => {
  const picture = video?.enabled ? said([trackLayerOf(video)])?.[0] : undefined;
  const [sounds, texts] = [said(audio.map(trackLayerOf)), said(subtitle.map(trackLayerOf))];
  const found: Layer = defined({ encryptionId: encryption_id, video: picture, audio: sounds, subtitle: texts });
  return Object.keys(found).length > 0 ? found : undefined;
};

/** Tracks of which at least one says something. */
const said = (tracks: TrackLayer[]): TrackLayer[] | undefined =>
  tracks.some((track) => Object.keys(track).length > 0) ? tracks : undefined;
