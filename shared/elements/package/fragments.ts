import { TaskError } from "../../causes.ts";
import type { Step } from "../../work.ts";
import { type Made, type Making, modeOf, secondsOf } from "./plan.ts";
import { contentKeyOf, type Protection, protectionArgs } from "./protection.ts";
import type { Rendition } from "./renditions.ts";

/** Fragmented MP4 by Shaka Packager: one file a rendition with byte ranges, or a file a segment. */
export const fragmentSteps = ({ context, renditions, kinds, protection }: Making): Made => {
  const { payload, uid } = context;
  const isSegmented = modeOf(payload) === "segmented_mp4";
  const isHls = kinds.includes("hls");
  const hasIframes = isHls && payload.hls?.include_iframe_manifests === true;
  const runs = runsOf(renditions, protection);
  if (runs.length > 1 && kinds.includes("dash"))
    throw new TaskError(
      "capability",
      `${uid}: DASH with several keys of different systems in one package is not implemented`,
    );
  const describe = describer({ isSegmented, isHls, hasIframes });
  const steps = runs.map(({ members, protections }, index): Step => {
    const keys = [...new Map(protections.map((each) => [each.label, contentKeyOf(each)])).values()];
    return {
      do: "packager",
      id: `package${index === 0 ? "" : `_${index}`}`,
      inputs: Object.fromEntries(members.map((each) => [inputName(each), each.asset])),
      argv: [
        ...members.map((each) => describe(each, members, protection(each))),
        ...(isHls ? [`--hls_master_playlist_output=packager_${index}.m3u8`] : []),
        ...(kinds.includes("dash") ? ["--mpd_output=packager.mpd"] : []),
        ...(kinds.includes("dash") && isSegmented ? ["--generate_static_live_mpd"] : []),
        ...(payload.dash?.use_segment_list ? ["--dash_force_segment_list"] : []),
        `--segment_duration=${secondsOf(payload)}`,
        `--fragment_duration=${secondsOf(payload)}`,
        ...(protections[0] ? protectionArgs(protections[0]) : []),
        "--quiet",
      ],
      keys,
    };
  });
  return {
    steps,
    media: renditions.flatMap((each) => mediaNames(each, isSegmented).map((name) => ({ stem: each.stem, name }))),
    playlistOf: ({ stem }) => `${stem}.m3u8`,
    iframesOf: ({ kind, stem }) => (hasIframes && kind === "video" ? `${stem}_iframes.m3u8` : undefined),
    withPicture: () => undefined,
    ...(kinds.includes("dash") && { mpd: "packager.mpd" }),
    requires: ["packager"],
  };
};

type Run = { readonly members: readonly Rendition[]; readonly protections: readonly Protection[] };

/** Renditions whose encryption needs the same words go into one run; clear ones go with the first. */
const runsOf = (renditions: readonly Rendition[], protection: Making["protection"]): Run[] => {
  const wordsOf = (each: Rendition): string => {
    const found = protection(each);
    return found ? protectionArgs(found).join(" ") : "";
  };
  const kinds = [...new Set(renditions.map(wordsOf))].filter((words) => words !== "");
  const groups = kinds.length > 0 ? kinds : [""];
  return groups.map((words, index) => {
    const members = renditions.filter((each) => wordsOf(each) === words || (index === 0 && wordsOf(each) === ""));
    return { members, protections: members.flatMap((each) => protection(each) ?? []) };
  });
};

const inputName = ({ asset, kind }: Rendition): string => `in_${asset}${kind === "text" ? ".vtt" : ".mp4"}`;

const mediaNames = ({ kind, stem }: Rendition, isSegmented: boolean): string[] => {
  if (!isSegmented) return [kind === "text" ? `${stem}.vtt` : `${stem}.mp4`];
  return kind === "text" ? [`${stem}_%05d.vtt`] : [`${stem}_init.mp4`, `${stem}_%05d.m4s`];
};

type Describing = { readonly isSegmented: boolean; readonly isHls: boolean; readonly hasIframes: boolean };

/** One rendition as a stream descriptor. */
const describer =
  ({ isSegmented, isHls, hasIframes }: Describing) =>
  (rendition: Rendition, members: readonly Rendition[], protection: Protection | undefined): string => {
    const { kind, stem, stream, layer, asset } = rendition;
    // By its kind where the file has one such stream: the packager counts streams that ffprobe does not.
    const isOnly = members.filter((each) => each.asset === asset && each.kind === kind).length === 1;
    const fields = {
      in: inputName(rendition),
      stream: isOnly ? kind : String(stream),
      ...outputFields(rendition, isSegmented),
      language: layer.language,
      playlist_name: isHls ? `${stem}.m3u8` : undefined,
      hls_group_id: isHls && kind === "audio" ? "audio" : undefined,
      iframe_playlist_name: hasIframes && kind === "video" ? `${stem}_iframes.m3u8` : undefined,
      drm_label: protection?.label,
      skip_encryption: protection || kind === "text" ? undefined : "1",
    };
    return Object.entries(fields)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
      .join(",");
  };

const outputFields = ({ kind, stem }: Rendition, isSegmented: boolean) => {
  if (!isSegmented) return { output: kind === "text" ? `${stem}.vtt` : `${stem}.mp4` };
  if (kind === "text") return { segment_template: `${stem}_$Number%05d$.vtt` };
  return { init_segment: `${stem}_init.mp4`, segment_template: `${stem}_$Number%05d$.m4s` };
};
