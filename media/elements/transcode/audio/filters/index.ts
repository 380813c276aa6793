import type { AudioFacts } from "../../../../../shared/model/asset.ts";
import { type FilterRequest, filterList } from "../../filter-schema.ts";
import type { AnyAudioFilter } from "../../filters/filter.ts";
import { oneFilterOf } from "../../filters/one-filter-of.ts";
import { extenc } from "./extenc.ts";
import { fade } from "./fade.ts";
import { level } from "./level.ts";
import { mixdown } from "./mixdown.ts";
import { normalize } from "./normalize/index.ts";
import { resample } from "./resample.ts";
import { tempo } from "./tempo.ts";

/** Every filter of sound. A new one is one file and one line here. */
const kinds: readonly AnyAudioFilter[] = [extenc, fade, level, mixdown, normalize, resample, tempo];

export const audioFilterOf = (kind: string): AnyAudioFilter | undefined => kinds.find((each) => each.kind === kind);

/** A sound as filters leave its channels and sample rate, which a target keeps where it names none itself. */
export const reshaped = (sound: AudioFacts, requests: readonly FilterRequest[] = [], path = ""): AudioFacts => {
  const changes = requests.map(({ kind, payload }, index) =>
    audioFilterOf(kind)?.reshapes?.(payload, `${path}[${index}].payload`),
  );
  return Object.assign({ ...sound }, ...changes);
};

/** Every filter that sound can be sent through. */
export const audioFilters = filterList("extenc", oneFilterOf(kinds));
