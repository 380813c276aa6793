import type { Asset } from "../../asset.ts";
import { TaskError } from "../../causes.ts";
import { nameOf } from "../../location.ts";
import { withFacts } from "../../virtual-source/of-asset.ts";
import type { Output, Step } from "../../work.ts";
import type { Plan, PlanContext } from "../element.ts";
import { fragmentSteps } from "./fragments.ts";
import { masterOf } from "./hls-master.ts";
import { type Places, placesOf } from "./places.ts";
import { createProtection, protectionNotes } from "./protection.ts";
import type { PackageRecipe } from "./recipe.ts";
import { isText, type Rendition, renditionsOf } from "./renditions.ts";
import type { PackagePayload } from "./schema.ts";
import { keyFolder, transportSteps } from "./transport.ts";

/** What one way of making segments gives: steps, and what lies in the attempt's folder afterwards. */
export type Made = {
  readonly steps: readonly Step[];
  /** Files by rendition: one name, or a numbered pattern. */
  readonly media: readonly { readonly stem: string; readonly name: string }[];
  readonly playlistOf: (rendition: Rendition) => string;
  readonly iframesOf: (rendition: Rendition) => string | undefined;
  readonly withPicture: (
    video: Extract<Rendition, { kind: "video" }>,
  ) => Extract<Rendition, { kind: "audio" }> | undefined;
  /** Where it wrote a DASH manifest. */
  readonly mpd?: string;
  /** The file with the key of AES-128, which players fetch. */
  readonly keyFile?: string;
  readonly requires: readonly string[];
};

/** One task makes the segments of all that came in, and the manifests over them. */
export const planPackage = (context: PlanContext<PackagePayload>): Plan<PackageRecipe> => {
  const { uid, inputs } = context;
  if (inputs.length === 0) throw new TaskError("definition", `${uid} has nothing to package: no element feeds it`);
  const assets = inputs.map((asset) => withFacts(asset, context.factsOf));
  const unknown = assets.flatMap(({ files }) => files.filter(({ facts, uri }) => !facts && !isText(uri)));
  if (unknown.length > 0) return { need: unknown.map(({ uri }) => ({ fact: "probe", uri })) };
  const detail = recipeOf(context, assets);
  return { tasks: [{ uid, name: uid, requires: detail.requires, weight: "light", detail }] };
};

const recipeOf = (context: PlanContext<PackagePayload>, assets: readonly Asset[]): PackageRecipe => {
  const { uid, payload, job } = context;
  refuse(payload, `${uid}.payload`);
  const kinds = [payload.kind ?? "hls"].flat();
  const renditions = renditionsOf(assets, uid, payload.media_file_pattern, job.id);
  const sourceName = nameOf((context.source ?? assets)[0]?.files[0]?.uri ?? "");
  const places = placesOf(payload, { uid, sourceName, jobId: job.id });
  const protection = createProtection(payload, uid);
  const made = make({ context, renditions, kinds, protection, places });
  const outputs = outputsOf({ uid, payload, places, kinds, renditions, made });
  return {
    assets: Object.fromEntries(assets.flatMap(({ files }, at) => files.map((file, part) => [`${at}_${part}`, file]))),
    outputs,
    steps: [...made.steps, placing({ payload, kinds, renditions, places, made })],
    notes: notesOf(
      payload,
      `${uid}.payload`,
      renditions.flatMap((each) => protection(each) ?? []),
    ),
    requires: made.requires,
  };
};

export type Making = {
  readonly context: PlanContext<PackagePayload>;
  readonly renditions: readonly Rendition[];
  readonly kinds: readonly string[];
  readonly protection: ReturnType<typeof createProtection>;
  readonly places: Places;
};

const transportModes: ReadonlySet<string> = new Set(["segmented_ts", "single_ts", "multiplexed_ts"]);

/** How segments are made where the payload does not say. */
export const modeOf = ({ hls, dash, segmentation_mode }: PackagePayload): string =>
  hls?.segmentation_mode ?? segmentation_mode ?? dash?.segmentation_mode ?? "fmp4";

const defaultSeconds = 6;
export const secondsOf = ({ hls, dash, segment_duration_sec }: PackagePayload): number =>
  hls?.segment_duration_sec ?? dash?.segment_duration_sec ?? segment_duration_sec ?? defaultSeconds;

const make = (making: Making): Made => {
  const { context, kinds } = making;
  if (!transportModes.has(modeOf(context.payload))) return fragmentSteps(making);
  if (!kinds.includes("dash")) return transportSteps(making);
  const path = `${context.uid}.payload.segmentation_mode`;
  throw new TaskError(
    "definition",
    `${path} "${modeOf(context.payload)}" makes transport streams, which DASH does not play: say fmp4`,
  );
};

const refuse = (payload: PackagePayload, path: string): void => {
  const kinds = [payload.kind ?? []].flat();
  if (kinds.includes("smooth")) throw new TaskError("capability", `${path}.kind "smooth" is not implemented`);
  if (payload.force_original_media)
    throw new TaskError(
      "capability",
      `${path}.force_original_media is not implemented: the media are written anew, without being coded again`,
    );
  if (payload.options?.delete_sources)
    throw new TaskError("capability", `${path}.options.delete_sources is not implemented yet`);
};

type Parts = Pick<Making, "kinds" | "renditions" | "places"> & {
  readonly payload: PackagePayload;
  readonly made: Made;
};

const outputsOf = ({
  uid,
  payload,
  places,
  kinds,
  renditions,
  made,
}: Parts & { readonly uid: string }): PackageRecipe["outputs"] => {
  const output = (version: string, folder: string, name: string): Output => ({
    ...{ version, folder, name, isSequence: /%0?\d*d/.test(name), existing: "replace" },
  });
  const playlists = kinds.includes("hls") ? playlistNames(renditions, made) : [];
  const main = payload.uid ?? "main_manifest";
  return [
    ...made.media.map(({ name }) => [`media_${name}`, output(`${uid}_media`, places.media, name)] as const),
    ...(made.keyFile
      ? [[`key_${made.keyFile}`, output(`${uid}_key`, keyFolder(payload, places, uid), made.keyFile)] as const]
      : []),
    ...playlists.map((name) => [`playlist_${name}`, output(`${uid}_playlists`, places.playlists, name)] as const),
    ...(made.mpd ? [["dash", output(main, places.dash.folder, places.dash.name)] as const] : []),
    ...(kinds.includes("hls") ? [["hls", output(main, places.hls.folder, places.hls.name)] as const] : []),
  ];
};

const playlistNames = (renditions: readonly Rendition[], { playlistOf, iframesOf, withPicture }: Made): string[] => {
  const mixed = new Set(renditions.flatMap((each) => (each.kind === "video" ? (withPicture(each) ?? []) : [])));
  return renditions
    .filter((each) => each.kind !== "audio" || !mixed.has(each))
    .flatMap((each) => [playlistOf(each), ...[iframesOf(each) ?? []].flat()]);
};

const placing = ({ payload, kinds, renditions, places, made }: Parts): Step => {
  const rewriting = { as: "hls" as const, ...(places.mediaFromPlaylists && { media: places.mediaFromPlaylists }) };
  const playlists = kinds.includes("hls") ? playlistNames(renditions, made) : [];
  return {
    do: "place",
    id: "place",
    moves: [
      ...made.media.map(({ name }) => ({ from: name, to: `media_${name}` })),
      ...(made.keyFile ? [{ from: made.keyFile, to: `key_${made.keyFile}` }] : []),
    ],
    manifests: [
      ...playlists.map((name) => ({ from: name, to: `playlist_${name}`, rewriting })),
      ...(made.mpd
        ? [
            {
              from: made.mpd,
              to: "dash",
              rewriting: { as: "dash" as const, ...(places.mediaFromDash && { media: places.mediaFromDash }) },
            },
          ]
        : []),
    ],
    ...(kinds.includes("hls") && {
      master: {
        to: "hls",
        recipe: masterOf(renditions, payload, made),
        rewriting: { as: "hls" as const, ...(places.playlistsFromMaster && { playlists: places.playlistsFromMaster }) },
      },
    }),
  };
};

/** What is written and changes nothing. */
const notesOf = (
  payload: PackagePayload,
  path: string,
  protections: readonly Parameters<typeof protectionNotes>[0][],
): string[] => {
  const idle = ["title", "author", "copyright", "info_url", "media_file_extensions", "init_file_pattern"] as const;
  const rotated = protections.some(({ written }) => written.rotation > 0 && written.schema === "aes-128-cbc");
  return [
    ...idle.flatMap((field) => (payload[field] === undefined ? [] : [`${path}.${field} has no effect`])),
    ...(payload.dash?.compliance ? [`${path}.dash.compliance has no effect`] : []),
    ...(rotated ? [`${path}.encryption.rotation has no effect: one key encrypts all segments`] : []),
    ...new Set(protections.flatMap(protectionNotes)),
  ];
};
