import { z } from "zod";
import { parseRational, toNumber } from "../../shared/basics/rational.ts";
import type { Hdr } from "../../shared/model/asset.ts";

const fraction = z.string().optional().catch(undefined);
const count = z.coerce.number().optional().catch(undefined);

/** ffprobe's side data of a stream or a frame; one shape for all kinds. */
export const sideData = z
  .array(
    z.looseObject({
      side_data_type: z.string().optional().catch(undefined),
      rotation: count,
      red_x: fraction,
      red_y: fraction,
      green_x: fraction,
      green_y: fraction,
      blue_x: fraction,
      blue_y: fraction,
      white_point_x: fraction,
      white_point_y: fraction,
      min_luminance: fraction,
      max_luminance: fraction,
      max_content: count,
      max_average: count,
      dv_profile: count,
      dv_level: count,
      dv_bl_signal_compatibility_id: count,
      timecode: z.string().optional().catch(undefined),
      timecodes: z
        .array(z.looseObject({ value: z.string() }))
        .optional()
        .catch(undefined),
    }),
  )
  .catch([]);
export type SideData = z.output<typeof sideData>;

/** The HDR data; undefined if there is none. */
export const hdrOf = (list: SideData): Hdr | undefined => {
  const display = of(list, "Mastering display metadata");
  const light = of(list, "Content light level metadata");
  const dolby = of(list, "DOVI configuration record");
  const isDynamic = list.some(({ side_data_type: kind }) => kind?.includes("SMPTE2094-40"));
  if (!display && !light && !dolby && !isDynamic) return undefined;
  return {
    masterDisplay: display && masterDisplay(display),
    maxCll: light?.max_content,
    maxFall: light?.max_average,
    ...(dolby?.dv_profile !== undefined && {
      dolbyVision: {
        profile: dolby.dv_profile,
        level: dolby.dv_level,
        compatibility: dolby.dv_bl_signal_compatibility_id,
      },
    }),
    ...(isDynamic && { isDynamic }),
  };
};

/** Timecodes within the picture, and whether it has captions. */
export const timecodesOf = (list: SideData): { kind: "gop" | "smpte"; value: string }[] => {
  const gop = of(list, "GOP timecode")?.timecode;
  const smpte = of(list, "SMPTE 12-1 timecode")?.timecodes?.[0]?.value;
  return [
    ...(gop ? [{ kind: "gop" as const, value: gop }] : []),
    ...(smpte ? [{ kind: "smpte" as const, value: smpte }] : []),
  ];
};

export const hasCaptions = (list: SideData): boolean => of(list, "ATSC A53 Part 4 Closed Captions") !== undefined;

type Entry = SideData[number];

const of = (list: SideData, kind: string): Entry | undefined =>
  list.find(({ side_data_type }) => side_data_type === kind);

// As encoders expect it: chromaticities in 1/50000, luminance in 1/10000 cd/m².
const masterDisplay = (entry: Entry): string | undefined => {
  const scaled = (text: string | undefined, by: number) => {
    const value = parseRational(text);
    return value && Math.round(toNumber(value) * by);
  };
  const point = (x: string | undefined, y: string | undefined) => `(${scaled(x, 50_000)},${scaled(y, 50_000)})`;
  const { red_x, red_y, green_x, green_y, blue_x, blue_y, white_point_x, white_point_y } = entry;
  const luminance = `L(${scaled(entry.max_luminance, 10_000)},${scaled(entry.min_luminance, 10_000)})`;
  const colors = `G${point(green_x, green_y)}B${point(blue_x, blue_y)}R${point(red_x, red_y)}`;
  const text = `${colors}WP${point(white_point_x, white_point_y)}${luminance}`;
  return text.includes("undefined") ? undefined : text;
};
