import { toNumber } from "../../../../shared/basics/rational.ts";
import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { StepOf } from "../../../../shared/work/work.ts";
import { languageFor } from "../../../formats/language.ts";
import { mainVideo } from "../../../formats/stream-timing.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { Extras } from "../filters/extras.ts";
import type { SubtitleTarget } from "../subtitle-schema.ts";
import type { VideoPlan } from "../video/video.ts";

/** How a track of texts is drawn and described as DVB subtitles. */
export type DvbRecipe = Omit<StepOf<"dvb_subtitles">, "do" | "id" | "from" | "to">;

type Options = NonNullable<SubtitleTarget["dvb_options"]>;
type Request = {
  readonly subtitle: SubtitleTarget;
  readonly source: VirtualSource;
  readonly extras: Extras;
  /** The picture that they are seen over; undefined where the target has none. */
  readonly video: VideoPlan | undefined;
  readonly path: string;
};

export const planDvb = (request: Request, language: string | undefined, isForDeaf: boolean): DvbRecipe => {
  const { subtitle, extras, path } = request;
  const options = subtitle.dvb_options ?? {};
  refuseOthers(options, `${path}.dvb_options`);
  extras.stage({ bundled: "DejaVuSans.ttf" }, ".ttf");
  const picture = pictureOf(request);
  const canvas = {
    width: options.width_overide ?? (options.sd_in_hd ? 720 : picture.width),
    height: options.height_overide ?? (options.sd_in_hd ? 576 : picture.height),
  };
  const isUsual = canvas.width === 720 && canvas.height === 576;
  checkSide(canvas.width, `${path}.dvb_options.width_overide`);
  checkSide(canvas.height, `${path}.dvb_options.height_overide`);
  checkNumbers(options, `${path}.dvb_options`);
  return {
    canvas,
    aspect: options.dar_overide ?? picture.aspect,
    language: languageFor("mpegts", language ?? "und"),
    page: options.page_id ?? 1,
    type: options.dvb_subtitling_type ?? usualType(canvas, isForDeaf),
    depth: depthOf(options.color_depth_bits ?? 4, `${path}.dvb_options.color_depth_bits`),
    tellsCanvas: !options.dvb_skip_dds && !(isUsual && options.sd_in_hd) && !isUsual,
    isFullWidth: options.use_full_width_regions || options.use_full_width_objects,
    isFullObject: options.use_full_width_objects,
    isFilled: options.use_region_fill_flag,
    keepsRegion: options.non_empty_pcs_on_hide,
    sendsClear: options.send_empty_bitmap_on_hide,
  };
};

/** Texts come with times; here no timecode is read from a track of bitmaps. */
const refuseOthers = (options: Options, path: string): void => {
  const field = options.use_df_timecode
    ? "use_df_timecode"
    : options.video_start_timecode !== undefined
      ? "video_start_timecode"
      : undefined;
  const instead = "the timecode of the source and the text's own start say when texts are seen";
  if (field) throw capabilityError(`${path}.${field} is not implemented: ${instead}`);
  if (options.use_transparent_color_0 === false)
    throw capabilityError(`${path}.use_transparent_color_0 false is not implemented: colour 0 is the clear one`);
};

const checkNumbers = (
  { page_id: page = 1, dvb_subtitling_type: type = 0, dar_overide: aspect = 1 }: Options,
  path: string,
): void => {
  if (page < 1 || page > 65_535) throw definitionError(`${path}.page_id ${page}: a page is 1 to 65535`);
  if (type > 255) throw definitionError(`${path}.dvb_subtitling_type ${type}: a type is one byte`);
  if (aspect < 0.1 || aspect > 10) throw definitionError(`${path}.dar_overide ${aspect} is no shape of a picture`);
};

/** Of high definition, and for people who cannot hear (ETSI EN 300 468, table 26). */
const usualType = ({ height }: DvbRecipe["canvas"], isForDeaf: boolean): number =>
  (isForDeaf ? 0x20 : 0x10) + (height > 576 ? 4 : 0);

const depthOf = (bits: number, path: string): DvbRecipe["depth"] => {
  if (bits === 2 || bits === 4 || bits === 8) return bits;
  throw definitionError(`${path} ${bits}: bitmaps of DVB have 2, 4 or 8 bits`);
};

const checkSide = (side: number, path: string): void => {
  if (side < 16 || side > 4096) throw definitionError(`${path} ${side} is not 16 to 4096 pixels`);
};

/** Receivers know no larger canvas than that of high definition. */
const largest = { width: 1920, height: 1080 };

const pictureOf = ({ video, source }: Pick<Request, "video" | "source">) => {
  const facts = mainVideo(source.facts);
  const [width, height] = [video?.expect.width ?? facts?.width ?? 720, video?.expect.height ?? facts?.height ?? 576];
  const sar = video?.recipe.filters?.findLast(({ name }) => name === "setsar")?.options?.sar;
  const [over, under = 1] = typeof sar === "string" ? sar.split(/[:/]/).map(Number) : [];
  const shape = over ? over / under : facts?.pixelAspect ? toNumber(facts.pixelAspect) : 1;
  const aspect = (width * shape) / height;
  return width > largest.width || height > largest.height ? { ...largest, aspect } : { width, height, aspect };
};
