import { capabilityError } from "../../../shared/model/failure.ts";
import type { Step } from "../../../shared/work/work.ts";
import { contentKeyOf, hasKeyFile, type Protection, protectionArgs } from "../../encryption/protection.ts";
import { ffmpegHead } from "../../ffmpeg/args.ts";
import { openingArgs } from "../../ffmpeg/opening-args.ts";
import type { Said } from "../../packaging/dash-names.ts";
import { captionScheme } from "../../packaging/dash-set.ts";
import { streamBegin } from "../../packaging/stream-clock.ts";
import type { Shape } from "./modes.ts";
import { isNumbered, type Names } from "./names.ts";
import type { PackagingContext, PackagingSteps } from "./packaging.ts";
import { hasCaptions, inputOf, nameOfAsset, type Rendition } from "./renditions.ts";
import type { PackagePayload } from "./schema.ts";
import { keyPlaceOf } from "./segment-keys.ts";
import { textStep } from "./text-step.ts";

/** Media by Shaka Packager: one file a rendition with byte ranges, or a file a segment; fragments or transport streams. */
export const fragmentSteps = (making: PackagingContext): PackagingSteps => {
  const { context, renditions, kinds, protection, shape, names } = making;
  const { payload, uid } = context;
  const isHls = kinds.includes("hls");
  const hasIframes = isHls && payload.hls?.include_iframe_manifests === true;
  const isApart = ({ kind }: Rendition) => shape.isTransport && kind === "text";
  const texts = renditions.filter(isApart);
  const runs = runsOf(
    renditions.filter((each) => !isApart(each)),
    making,
  );
  if (runs.length > 1 && kinds.includes("dash"))
    throw capabilityError(`${uid}: DASH with several keys of different systems in one package is not implemented`);
  const keyFiles = keyFilesOf(making);
  const steps = runs.map(({ members, protections }, index): Step => {
    const keys = [...new Set(protections)].map((each) => contentKeyOf(each, shape, keyFiles.get(each)?.name));
    return {
      do: "packager",
      id: `package${index === 0 ? "" : `_${index}`}`,
      inputs: Object.fromEntries(
        members.filter((each) => !isTagged(each, payload)).map((each) => [inputName(each), inputOf(each)]),
      ),
      argv: [
        ...members.map((each) =>
          describe(each, {
            payload,
            members,
            protection: protection(each),
            names: names(each),
            shape,
            isHls,
            hasIframes,
            said: kinds.includes("dash") ? making.said.get(each) : undefined,
          }),
        ),
        ...(isHls ? [`--hls_master_playlist_output=packager_${index}.m3u8`] : []),
        ...(kinds.includes("dash") ? ["--mpd_output=packager.mpd"] : []),
        ...(kinds.includes("dash") && shape.isSegmented ? ["--generate_static_live_mpd"] : []),
        ...(payload.dash?.use_segment_list ? ["--dash_force_segment_list"] : []),
        `--segment_duration=${shape.seconds}`,
        `--fragment_duration=${shape.seconds}`,
        ...(shape.isTransport ? [`--transport_stream_timestamp_offset_ms=${streamBegin * 1000}`] : []),
        ...(protections[0] ? protectionWords(protections[0], making) : []),
        "--quiet",
      ],
      keys,
    };
  });
  const tagged = renditions.filter((each) => isTagged(each, payload));
  return {
    steps: [
      ...tagged.map((each) => tagging(each, making)),
      ...steps,
      ...(texts.length > 0 ? [textStep(texts, making)] : []),
    ],
    media: renditions.flatMap((each) => {
      const { init, media } = names(each);
      return [...(init === undefined ? [] : [init]), media];
    }),
    keys: [...keyFiles.values()],
    hasIframes: ({ kind }) => hasIframes && kind === "video",
    withPicture: () => undefined,
    ...(kinds.includes("dash") && { mpd: "packager.mpd" }),
    requires: ["packager", ...(tagged.length > 0 ? ["ffmpeg", "muxer:mp4"] : [])],
  };
};

/** HEVC with the sample entry that the payload asks for: the packager keeps the name that it reads. */
const isTagged = (rendition: Rendition, { hls }: PackagePayload): boolean =>
  hls?.hevc_codec_id_prefix !== undefined && rendition.kind === "video" && rendition.facts.codec === "hevc";

const tagging = ({ asset, stream, stem }: Rendition, { context, kinds }: PackagingContext): Step => {
  const prefix = context.payload.hls?.hevc_codec_id_prefix ?? "hvc1";
  if (prefix === "hev1" && kinds.includes("dash"))
    throw capabilityError(
      `${context.uid}.payload.hls.hevc_codec_id_prefix "hev1" is not implemented for media that DASH shares`,
    );
  const opening = [...openingArgs({ name: nameOfAsset(asset, context.inputs) }), "-i", { asset }];
  const copying = ["-map", `0:${stream}`, "-c", "copy", "-tag:v", prefix, "-f", "mp4", taggedName(stem)];
  return { do: "ffmpeg", id: `tag_${stem}`, argv: [...ffmpegHead, ...opening, ...copying] };
};

const taggedName = (stem: string): string => `tagged_${stem}.mp4`;

type Run = { readonly members: readonly Rendition[]; readonly protections: readonly Protection[] };

/** Renditions with the same encryption options go into one run; clear ones go with the first. */
const runsOf = (renditions: readonly Rendition[], making: PackagingContext): Run[] => {
  const { protection } = making;
  const wordsOf = (each: Rendition): string => {
    const found = protection(each);
    return found ? protectionWords(found, making).join(" ") : "";
  };
  const kinds = [...new Set(renditions.map(wordsOf))].filter((words) => words !== "");
  const groups = kinds.length > 0 ? kinds : [""];
  return groups.map((words, index) => {
    const members = renditions.filter((each) => wordsOf(each) === words || (index === 0 && wordsOf(each) === ""));
    return { members, protections: members.flatMap((each) => protection(each) ?? []) };
  });
};

/** Keys that players fetch, by what they protect. */
const keyFilesOf = (making: PackagingContext): ReadonlyMap<Protection, ReturnType<typeof keyPlaceOf>> => {
  const found = [...new Set(making.renditions.flatMap((each) => making.protection(each) ?? []))].filter(hasKeyFile);
  return new Map(found.map((each, index) => [each, keyPlaceOf(each, { ...making, index }, false)]));
};

/** A protection's options, with the address from which HLS players fetch the key. */
const protectionWords = (protection: Protection, making: PackagingContext): string[] => {
  const { kinds } = making;
  const files = keyFilesOf(making);
  const place = files.get(protection);
  // Each address needs a run of its own, and DASH is made in one.
  const isPossible = kinds.includes("hls") && (files.size === 1 || !kinds.includes("dash"));
  const isNamed = place && isPossible && !protection.written.fairplay_uri;
  return [
    ...protectionArgs(protection, making.shape),
    ...(isNamed ? [`--hls_key_uri=${place.prefix}${place.name}`] : []),
  ];
};

const inputName = ({ asset, kind }: Rendition): string => `in_${asset}${kind === "text" ? ".vtt" : ".mp4"}`;

type Describing = {
  readonly payload: PackagePayload;
  readonly members: readonly Rendition[];
  readonly protection: Protection | undefined;
  readonly names: Names;
  readonly shape: Shape;
  readonly isHls: boolean;
  readonly hasIframes: boolean;
  /** Absent: there is no DASH manifest. */
  readonly said: Said | undefined;
};

/** One rendition as a stream descriptor. */
const describe = (rendition: Rendition, describing: Describing): string => {
  const { payload, members, protection, names, isHls, hasIframes, said } = describing;
  const { kind, stream, layer, asset } = rendition;
  // By its kind where the file has only one: the packager also counts streams that ffprobe leaves out.
  const isAlone = isTagged(rendition, payload);
  const isOnly = isAlone || members.filter((each) => each.asset === asset && each.kind === kind).length === 1;
  const fields = {
    in: isTagged(rendition, payload) ? taggedName(rendition.stem) : inputName(rendition),
    stream: isOnly ? kind : String(stream),
    ...outputFields(rendition, describing),
    language: layer.language,
    playlist_name: isHls ? names.playlist : undefined,
    dash_roles: said && said.roles.length > 0 ? said.roles.join(";") : undefined,
    dash_accessibilities: said && hasCaptions(rendition) ? captionsOf(payload) : undefined,
    dash_label: said?.label === undefined ? undefined : said.word,
    hls_group_id: isHls && kind === "audio" ? "audio" : undefined,
    iframe_playlist_name: hasIframes && kind === "video" ? names.iframes : undefined,
    drm_label: protection?.label,
    skip_encryption: protection || kind === "text" ? undefined : "1",
  };
  return Object.entries(fields)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .join(",");
};

/** What a DASH manifest says of captions within pictures: what the job says, else that there are some. */
const captionsOf = ({ closed_captions: said = [] }: PackagePayload): string => {
  const named = said.map(
    ({ cc_index = 1, language }) => `CC${cc_index}${language === undefined ? "" : `=${language}`}`,
  );
  return `${captionScheme}=${named.length > 0 ? named.join(";") : "CC1"}`;
};

const outputFields = ({ kind }: Rendition, { names: { media, init }, shape }: Describing) => {
  // The packager knows only the usual file endings.
  const format =
    /\.(mp4|m4[asv]|ts|vtt)$/.test(media) || kind === "text" ? {} : { output_format: shape.isTransport ? "ts" : "mp4" };
  if (!isNumbered(media)) return { output: media, ...format };
  const template = media.replace(/%0\dd/, "$Number$&$$");
  return { ...(init !== undefined && { init_segment: init }), segment_template: template, ...format };
};
