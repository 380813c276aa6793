import { toNumber } from "../../../../shared/basics/rational.ts";
import { fillPattern } from "../../../../shared/files/file-pattern.ts";
import { basenameOf, folderUri, nameOf } from "../../../../shared/files/location.ts";
import { objectOptionsOf } from "../../../../shared/files/object-options.ts";
import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { TrackLayer } from "../../../../shared/model/layer.ts";
import type { DescribedMedia } from "../../../../shared/work/media-steps/describe-media.ts";
import type { Output } from "../../../../shared/work/work.ts";
import { relativeUrl } from "../../../formats/relative-url.ts";
import { type Said, saidInDash } from "../../../packaging/dash-names.ts";
import { buildMasterRecipe, type Offered } from "../../../packaging/master-recipe.ts";
import { setOf } from "../../../packaging/probed-media.ts";
import { createUniqueNames } from "../../../packaging/unique-names.ts";
import type { PlanContext } from "../../element.ts";
import type { ManifestPart } from "../recipe.ts";
import { type ManifestRecipe, outIdOf, type TargetRecipe, type Timeline } from "../recipe.ts";
import type { TranscodePayload } from "../schema.ts";
import type { Manifest } from "./schema.ts";

/** A target in a manifest. */
type Member = {
  readonly target: TargetRecipe;
  readonly part: ManifestPart;
  readonly out: string;
  readonly seconds: number;
};

type Kind = "hls" | "dash";

type Making = {
  readonly manifest: Manifest;
  readonly kind: Kind;
  readonly members: readonly Member[];
  /** Number among all manifests of the transcode. */
  readonly number: number;
  readonly folder: string;
  readonly name: string;
  readonly object: Output["object"];
  readonly path: string;
  readonly stems: ReturnType<typeof createUniqueNames>;
};

/** One step describes the targets of each manifest, and one moves what it wrote to its place. */
export const planManifests = (
  context: PlanContext<TranscodePayload>,
  timelines: readonly Timeline[],
): { readonly recipe?: ManifestRecipe; readonly warnings: readonly string[] } => {
  const { payload, uid } = context;
  const written = payload.manifests ?? [];
  refuse(payload, uid);
  if (written.length === 0) return { warnings: [] };
  const members = membersOf(timelines);
  const stems = createUniqueNames();
  const all = written.flatMap((manifest, index) => {
    const own = members.filter(({ part }) => part.uids.includes(manifest.uid));
    return kindsOf(manifest).map((kind) => ({ manifest, kind, index, members: own }));
  });
  const made = all
    .filter((each) => each.members.length > 0)
    .map((each, number) => makingOf(context, { ...each, number, stems }));
  for (const { name } of made) stems(basenameOf(name));
  for (const { target, part } of members) if (part.layout === "playlist") stems(basenameOf(target.name));
  const recipes = made.map(recipeOf);
  return {
    recipe: {
      outputs: recipes.flatMap(({ outputs }) => outputs),
      steps: recipes.flatMap(({ steps }) => steps),
    },
    warnings: all
      .filter((each) => each.members.length === 0)
      .map(({ index }) => `${uid}.payload.manifests[${index}] is not made: conditions leave out all of its targets`),
  };
};

const kindsOf = ({ kind }: Manifest): Kind[] =>
  [...new Set([kind ?? "hls"].flat())].filter((each) => each !== "smooth");

const refuse = ({ manifests = [], targets }: TranscodePayload, uid: string): void => {
  const uids = manifests.map((each) => each.uid);
  for (const [at, { manifest_uids: named = [] }] of targets.entries()) {
    const unknown = named.find((each) => !uids.includes(each));
    if (unknown !== undefined)
      throw definitionError(
        `${uid}.payload.targets[${at}].manifest_uids names "${unknown}", which ${uid}.payload.manifests does not have`,
      );
  }
  for (const [at, manifest] of manifests.entries()) {
    const path = `${uid}.payload.manifests[${at}]`;
    if (uids.indexOf(manifest.uid) !== at)
      throw definitionError(`${path}.uid "${manifest.uid}" is the uid of another manifest too`);
    if ([manifest.kind ?? "hls"].flat().includes("smooth"))
      throw capabilityError(`${path}.kind "smooth" is not implemented: use a package`);
    if (!targets.some(({ manifest_uids: named }) => named?.includes(manifest.uid)))
      throw definitionError(`${path} has no targets: none has "${manifest.uid}" in its manifest_uids`);
  }
};

const membersOf = (timelines: readonly Timeline[]): Member[] =>
  timelines
    .flatMap(({ targets, source }) => targets.map((target) => ({ target, duration: source.timing.duration })))
    .flatMap(({ target, duration }, index) =>
      target.manifest
        ? [{ target, part: target.manifest, out: outIdOf(index), seconds: duration ? toNumber(duration) : 0 }]
        : [],
    );

type Wanted = Pick<Making, "manifest" | "kind" | "members" | "number" | "stems"> & { readonly index: number };

const makingOf = (context: PlanContext<TranscodePayload>, { index, ...wanted }: Wanted): Making => {
  const { payload, uid, job } = context;
  const { location, file_pattern } = wanted.manifest;
  const path = `${uid}.payload.manifests[${index}]`;
  const parent = payload.location && folderUri(payload.location, undefined, `${uid}.payload.location`);
  const ending = wanted.kind === "hls" ? ".m3u8" : ".mpd";
  const [source] = context.inputs;
  const filled = fillPattern(file_pattern, {
    sourceName: nameOf(source?.files[0]?.uri ?? ""),
    ...{ defaultExtension: ending, jobId: job.id },
  });
  return {
    ...{ ...wanted, path },
    folder: folderUri(location, parent, `${path}.location`),
    name: filled.toLowerCase().endsWith(ending) ? filled : `${filled.replace(/\.(m3u8|mpd)$/i, "")}${ending}`,
    object: objectOptionsOf(location ?? payload.location, `${path}.location`),
  };
};

const recipeOf = (making: Making): ManifestRecipe => {
  const { manifest, kind, members, number, folder, name, object } = making;
  const [id, file] = [`manifest_${number}`, `manifest_${number}${kind === "hls" ? ".m3u8" : ".mpd"}`];
  const named = members.map((member) => ({
    ...{ member, kind: member.part.kind, stem: stemOf(member.target) },
    layer: layerOf(member.target, member.part),
  }));
  const said = saidInDash(named);
  const described = named.map((each) => ({
    member: each.member,
    media: { ...describedOf(each.member, making), ...(kind === "dash" && dashOf(said.get(each))) },
  }));
  const lists = described.flatMap(({ media: { layout, playlist } }) =>
    layout === "playlist" || playlist === undefined ? [] : [playlist],
  );
  const output = (version: string, named: string): Output => ({
    ...{ version, folder, name: named, isSequence: false, existing: "replace", object },
  });
  const rewriting = { as: kind };
  return {
    outputs: [
      ...lists.map((list) => [`${id}_${list}`, output(`${manifest.uid}_playlists`, list)] as const),
      [id, output(manifest.uid, name)],
    ],
    steps: [
      {
        ...{ do: "describe_media", id: `describe_${number}`, media: described.map(({ media }) => media) },
        ...(kind === "dash" && { mpd: file }),
        ...(kind === "hls" && { master: { name: file, recipe: masterOf(described) } }),
      },
      {
        ...{ do: "place", id: `place_${number}`, moves: [] },
        manifests: [
          ...lists.map((list) => ({ from: list, to: `${id}_${list}`, rewriting })),
          { from: file, to: id, rewriting },
        ],
      },
    ],
  };
};

const describedOf = ({ target, part, out, seconds }: Member, making: Making): DescribedMedia => {
  const { kind, layout, hevc } = part;
  if (making.kind === "dash") refuseInDash(target, part, making);
  const url = urlOf(target, part, making);
  const layer = layerOf(target, part);
  const codec = target.expect?.video?.codec ?? String(target.video?.options.c ?? "");
  return {
    ...{ from: { out }, kind, layout, hlsUrl: url, dashUrl: url, set: setOf(kind, codec, layer) },
    ...{ hevc, language: layer.language, seconds: layout === "text" ? seconds : undefined },
    ...(layout === "segments" && { list: `${out}_list` }),
    ...(making.kind === "hls" && { playlist: `${making.stems(stemOf(target))}.m3u8` }),
  };
};

const dashOf = (said: Said | undefined) => ({
  ...{ id: said?.id, label: said?.label },
  ...(said && said.roles.length > 0 && { roles: [...said.roles] }),
});

const refuseInDash = (target: TargetRecipe, { layout, isMixed, kind }: ManifestPart, { path }: Making): void => {
  if (layout === "segments" || (layout === "playlist" && kind !== "text"))
    throw definitionError(
      `${path} would name ${target.name}, and DASH does not play transport streams: give its target the container fmp4`,
    );
  if (layout === "playlist")
    throw capabilityError(`${path}: DASH with subtitles in segments is not implemented: use one webvtt file`);
  if (isMixed)
    throw definitionError(
      `${path} would name ${target.name}, which has several streams: DASH needs a target for each picture and sound`,
    );
};

/** Its name without ending and without the number of segments. */
const stemOf = ({ name }: TargetRecipe): string => basenameOf(name).replace(/[_-]?%0?\d*d/, "");

/** The address of its file; for segments, of their folder. */
const urlOf = ({ folder, name }: TargetRecipe, { layout }: ManifestPart, making: Making): string => {
  const relative = relativeUrl(making.folder, folder);
  if (relative === undefined) throw definitionError(`${making.path}.location has no relative address for ${folder}`);
  return layout === "segments" ? relative : `${relative}${encodeURIComponent(name)}`;
};

const layerOf = ({ layer = {} }: TargetRecipe, { kind }: ManifestPart): TrackLayer => {
  if (kind === "video") return layer.video ?? {};
  return (kind === "audio" ? layer.audio : layer.subtitle)?.[0] ?? {};
};

type Described = { readonly member: Member; readonly media: DescribedMedia };

const masterOf = (described: readonly Described[]) =>
  buildMasterRecipe(
    described.map(
      ({ member: { target, part }, media: { playlist = "" } }): Offered => ({
        ...{ kind: part.kind, version: target.uid, stem: stemOf(target) },
        ...{ layer: layerOf(target, part), playlist },
      }),
    ),
    { captions: [], version: described.some(({ media }) => media.layout === "fragments") ? 6 : 3 },
  );
