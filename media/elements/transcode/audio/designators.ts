import { firstRepeated } from "../../../../shared/basics/first-repeated.ts";
import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { Filter } from "../../../ffmpeg/filtergraph.ts";

/** What a job calls a channel -> what ffmpeg and, through it, QuickTime's channel descriptions call it. */
const channels: Readonly<Record<string, string>> = {
  ...{ left: "FL", front_left: "FL", right: "FR", front_right: "FR", center: "FC", front_center: "FC", mono: "FC" },
  ...{ lfe_screen: "LFE", lfe2: "LFE2", left_surround: "BL", back_left: "BL", right_surround: "BR", back_right: "BR" },
  ...{ left_surround_direct: "SL", side_left: "SL", right_surround_direct: "SR", side_right: "SR" },
  ...{ center_surround: "BC", back_center: "BC", left_center: "FLC", front_left_of_center: "FLC" },
  ...{ right_center: "FRC", front_right_of_center: "FRC", left_wide: "WL", right_wide: "WR" },
  ...{ top_center_surround: "TC", vertical_height_left: "TFL", left_height: "TFL", vertical_height_center: "TFC" },
  ...{ vertical_height_right: "TFR", right_height: "TFR", top_back_left: "TBL", top_back_center: "TBC" },
  ...{ top_back_right: "TBR", left_total: "DL", right_total: "DR" },
};

/** Every codec knows these by their number of channels; without a name for matrixed stereo it is called stereo. */
const plain = /^(FL\+FR|DL\+DR|F[LRC]|B[LR]|LFE|FL\+FR\+FC\+LFE\+(BL\+BR|SL\+SR))$/;

type Request = {
  readonly designators: readonly string[] | undefined;
  readonly channels: number;
  /** Whether the codec can hold any set of channels. */
  readonly isPcm: boolean;
  readonly path: string;
};

/** Names the channels of a track, in their order, without changing the sound. Throws TaskError. */
export const namedChannels = ({ designators, channels: count, isPcm, path }: Request): Filter[] => {
  if (!designators || designators.length === 0) return [];
  const at = `${path}.channel_designators`;
  if (designators.length !== count) {
    throw definitionError(`${at} names ${designators.length} channels, the track has ${count}`);
  }
  const names = designators.map((designator) => {
    const name = channels[designator];
    if (name !== undefined) return name;
    throw capabilityError(`${at} "${designator}" is not implemented`);
  });
  const twice = firstRepeated(designators, (designator) => channels[designator]);
  if (twice) throw definitionError(`${at} has "${twice}" twice`);
  const layout = names.join("+");
  if (isPcm) {
    const routes = names.map((name, index) => `${name}=c${index}`);
    return [{ name: "pan", options: { args: [layout, ...routes].join("|") } }];
  }
  if (plain.test(layout)) return [];
  throw capabilityError(`${at}: this codec cannot keep ${designators.join(", ")}; pcm can`);
};
