/** How the formats of files name a channel. */
export type Designator = {
  /** Core Audio's label, which QuickTime's `chan` holds. */
  readonly label: number;
  /** ffmpeg's name, and through it the bit of WAVE's mask. */
  readonly speaker?: string;
  /** The position of a loudspeaker by ISO/IEC 23001-8, which MP4's `chnl` holds. */
  readonly position?: number;
  /** The symbol of SMPTE ST 377-4 and ST 428-12, which MXF holds. */
  readonly symbol?: string;
};

const at = (label: number, speaker?: string, position?: number, symbol?: string): Designator => ({
  label,
  ...(speaker !== undefined && { speaker }),
  ...(position !== undefined && { position }),
  ...(symbol !== undefined && { symbol }),
});

const named: Readonly<Record<string, Designator>> &
  Record<
    | "left"
    | "right"
    | "center"
    | "left_surround"
    | "right_surround"
    | "center_surround"
    | "left_center"
    | "right_center"
    | "left_surround_direct"
    | "right_surround_direct"
    | "vertical_height_left"
    | "vertical_height_right"
    | "unknown",
    Designator
  > = {
  unknown: at(0xffff_ffff),
  left: at(1, "FL", 0, "chL"),
  right: at(2, "FR", 1, "chR"),
  center: at(3, "FC", 2, "chC"),
  lfe_screen: at(4, "LFE", 3, "chLFE"),
  left_surround: at(5, "BL", 4, "chLs"),
  right_surround: at(6, "BR", 5, "chRs"),
  left_center: at(7, "FLC", 6, "chLc"),
  right_center: at(8, "FRC", 7, "chRc"),
  center_surround: at(9, "BC", 10, "chCs"),
  left_surround_direct: at(10, "SL", 13, "chLss"),
  right_surround_direct: at(11, "SR", 14, "chRss"),
  top_center_surround: at(12, "TC", 25),
  vertical_height_left: at(13, "TFL", 17),
  vertical_height_center: at(14, "TFC", 19),
  vertical_height_right: at(15, "TFR", 18),
  top_back_left: at(16, "TBL", 20),
  top_back_center: at(17, "TBC", 22),
  top_back_right: at(18, "TBR", 21),
  rear_surround_left: at(33, undefined, 8, "chLrs"),
  rear_surround_right: at(34, undefined, 9, "chRrs"),
  left_wide: at(35, "WL", 15),
  right_wide: at(36, "WR", 16),
  lfe2: at(37, "LFE2", 26),
  left_total: at(38, "DL", undefined, "chLt"),
  right_total: at(39, "DR", undefined, "chRt"),
  hearing_impaired: at(40, undefined, undefined, "chHI"),
  narration: at(41, undefined, undefined, "chVIN"),
  mono: at(42, "FC", 2, "chM1"),
  dialog_centric_mix: at(43),
  center_surround_direct: at(44),
  haptic: at(45),
  headphones_left: at(301),
  headphones_right: at(302),
  click_track: at(304),
  foreign_language: at(305),
  discrete: at(400),
};

/** Other words for the same channels. */
const same = {
  ...{ front_left: named.left, front_right: named.right, front_center: named.center },
  ...{ back_left: named.left_surround, back_right: named.right_surround, back_center: named.center_surround },
  ...{ front_left_of_center: named.left_center, front_right_of_center: named.right_center },
  ...{ side_left: named.left_surround_direct, side_right: named.right_surround_direct },
  ...{ left_height: named.vertical_height_left, right_height: named.vertical_height_right },
};

const speakers = new Map(Object.values(named).map(({ label, speaker }) => [label, speaker]));

/** The loudspeaker that a label of QuickTime names, as ffmpeg calls it. */
export const speakerOfLabel = (label: number): string | undefined => speakers.get(label);

/** The channels with ffmpeg's names, where each of them is one that jobs can name. */
export const designatorsOfSpeakers = (names: readonly string[]): readonly Designator[] | undefined => {
  const found = names.flatMap((name) => Object.values(named).find(({ speaker }) => speaker === name) ?? []);
  return found.length === names.length ? found : undefined;
};

const discrete = /^discrete_(\d+)$/;

/** What a job calls a channel. */
export const designatorOf = (name: string): Designator => {
  const number = discrete.exec(name)?.[1];
  if (number !== undefined) return { label: 65_536 + Number(number) };
  return { ...named, ...same }[name] ?? named.unknown;
};
