import type { Layer, TrackLayer } from "../../layer.ts";
import { languageOf } from "./audio/language.ts";
import type { Target } from "./schema.ts";

type Track = {
  readonly layer_id?: string | undefined;
  readonly layer_affinities?: string | readonly string[] | undefined;
  readonly track_group_id?: string | undefined;
  readonly language?: string | undefined;
  readonly track_name?: string | undefined;
  readonly disposition?: string | undefined;
};

/** What packagers after a target must know about it; undefined where it says nothing. */
export const layerOf = ({ encryption_id, video, audio = [], subtitle = [] }: Target): Layer | undefined => {
  const picture = video?.enabled ? said([trackOf(video)])?.[0] : undefined;
  const [sounds, texts] = [said(audio.map(trackOf)), said(subtitle.map(trackOf))];
  const found: Layer = {
    ...(encryption_id !== undefined && { encryptionId: encryption_id }),
    ...(picture && { video: picture }),
    ...(sounds && { audio: sounds }),
    ...(texts && { subtitle: texts }),
  };
  return Object.keys(found).length > 0 ? found : undefined;
};

/** Tracks of which at least one says something. */
const said = (tracks: TrackLayer[]): TrackLayer[] | undefined =>
  tracks.some((track) => Object.keys(track).length > 0) ? tracks : undefined;

const trackOf = (track: Track): TrackLayer => {
  const language = languageOf(track.language);
  return {
    ...(track.layer_id !== undefined && { id: track.layer_id }),
    ...(track.layer_affinities && { affinities: [track.layer_affinities].flat() }),
    ...(track.track_group_id !== undefined && { group: track.track_group_id }),
    ...(language !== undefined && { language }),
    ...(track.track_name !== undefined && { name: track.track_name }),
    ...(track.disposition === "default" && { isDefault: true }),
  };
};
