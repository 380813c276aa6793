import { type Light, roomForLight } from "../../../../formats/matroska/light.ts";
import type { HeaderChanges } from "../../../../formats/mxf/header.ts";
import { channelLabelOf } from "../../../../formats/mxf/sound-labels.ts";
import { languageTag } from "../../../../packaging/language-tag.ts";
import type { AudioPlan } from "../../audio/plan.ts";
import type { StreamRecipe, TargetRecipe } from "../../recipe.ts";
import type { Hdr10, VideoPlan } from "../../video/video.ts";
import type { Container } from "../container.ts";

/** Files whose head says HDR10 of a picture, though ffmpeg writes nothing of it there. */
export const holdsLight = ({ muxer }: Pick<Container, "muxer">): boolean => /^(matroska|webm|mxf)$/.test(muxer);

type Held = { readonly video: VideoPlan | undefined; readonly audio: readonly AudioPlan[] };

/** What a step writes into the head of a Matroska or MXF file: HDR10, and the names and languages of its channels. */
export const headOf = (
  { muxer }: Pick<Container, "muxer">,
  { video, audio }: Held,
): Pick<TargetRecipe, "light" | "header"> => {
  const light = video?.hdr10 && lightOf(video.hdr10);
  if (/^(matroska|webm)$/.test(muxer)) return light ? { light } : {};
  if (!/^mxf/.test(muxer)) return {};
  const sounds = audio.flatMap((sound, track) => soundOf(sound, track));
  const header: HeaderChanges = {
    ...(light && muxer === "mxf" && { light }),
    ...(sounds.length > 0 && { sounds }),
  };
  return Object.keys(header).length > 0 ? { header } : {};
};

const soundOf = ({ labels, recipe }: AudioPlan, track: number): NonNullable<HeaderChanges["sounds"]> => {
  if (!labels || labels.some((each) => !channelLabelOf(each))) return [];
  const { language } = recipe.metadata;
  const channels = labels.map(({ label, symbol }) => ({ label, ...(symbol !== undefined && { symbol }) }));
  return [{ track, channels, ...(language && { language: languageTag(language) }) }];
};

/** HDR10 in numbers, as files hold it. */
export const lightOf = ({ masterDisplay, maxCll, maxFall }: Hdr10): Light => {
  const display = masterDisplay?.match(/\d+/g)?.map(Number);
  return {
    ...(display?.length === 10 && { display }),
    ...(maxCll !== undefined && { light: [maxCll, maxFall ?? 0] }),
  };
};

/** The name of the picture's track leaves room for what the step writes. */
export const withRoom = (picture: StreamRecipe | undefined, light: object | undefined): StreamRecipe | undefined => {
  if (!picture || !light) return picture;
  const { title = "" } = picture.metadata;
  return { ...picture, metadata: { ...picture.metadata, title: `${title}${roomForLight}` } };
};
