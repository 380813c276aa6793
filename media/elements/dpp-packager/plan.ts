import { ratio, toNumber } from "../../../shared/basics/rational.ts";
import { fillPattern } from "../../../shared/files/file-pattern.ts";
import { nameOf } from "../../../shared/files/location.ts";
import { placeOf } from "../../../shared/files/place.ts";
import type { AssetFile, MediaFacts } from "../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../shared/model/failure.ts";
import type { Expectation, Output } from "../../../shared/work/work.ts";
import { mainVideo } from "../../formats/stream-timing.ts";
import { withFacts } from "../../virtual-source/build-virtual-source.ts";
import type { Plan, PlanContext } from "../element.ts";
import { wholeFiles } from "../whole-file.ts";
import { requirementsOf } from "./compile.ts";
import type { DppRecipe } from "./recipe.ts";
import { brokenRules, type Delivery } from "./rules.ts";
import type { DppPackagerPayload } from "./schema.ts";
import type { Shim } from "./shims.ts";
import { shimFor, shims } from "./shims.ts";
import { sidecarOf } from "./sidecar.ts";
import { buildTimeline } from "./timeline.ts";

type Context = PlanContext<DppPackagerPayload>;

/** One task wraps the one file that came in and writes the sidecar beside it. */
export const planDpp = (context: Context): Plan<DppRecipe> => {
  const { uid } = context;
  const [asset, second] = context.inputs.map((each) => withFacts(each, context.factsOf));
  const [file, another] = asset ? wholeFiles(asset, uid) : [];
  if (!file) throw definitionError(`${uid} has nothing to package: no element feeds it a file`);
  if (second || another) throw definitionError(`${uid} takes one file with picture and sound, and several came in`);
  const { facts } = file;
  if (!facts) return { need: [{ fact: "probe", uri: file.uri }] };
  const detail = recipeOf(context, { ...file, facts });
  return { tasks: [{ uid, name: uid, requires: requirementsOf(detail), weight: "light", detail }] };
};

const recipeOf = (context: Context, { uri, facts }: AssetFile & { readonly facts: MediaFacts }): DppRecipe => {
  const { uid, payload } = context;
  refuse(payload, `${uid}.payload`);
  const delivery = deliveryOf(payload, facts, uid);
  const { shim, video, timeline } = delivery;
  const problems = brokenRules(delivery);
  if (problems.length > 0 && !payload.options?.skip_validation)
    throw definitionError(`${uid} is no delivery of ${shim.name}: ${problems.join("; ")}`);
  const sounds = facts.audio.map(({ index, channels }) => ({ stream: index, channels }));
  const seconds = toNumber(video.duration ?? facts.duration ?? ratio(0));
  const output = outputOf(context, uri, { ...expectationOf(shim, sounds), timecode: timeline.start });
  const xml: Output = { ...output, version: `${uid}_sidecar`, name: output.name.replace(/\.mxf$/i, ".xml") };
  return {
    ...{ uri, shim: { muxer: shim.muxer, tracks: shim.tracks }, picture: video.index, sounds, seconds },
    ...{ timecode: timeline.start, output },
    ...(payload.sidecar && { sidecar: { ...sidecarOf(delivery, output.name), output: withoutExpectation(xml) } }),
    notes: notesOf(payload, problems, uid),
  };
};

const refuse = (payload: DppPackagerPayload, path: string): void => {
  if (payload.embed_metadata)
    throw capabilityError(
      `${path}.embed_metadata needs a tool that writes the descriptive metadata of AS-11 into MXF, such as bmxtranswrap; no node has one`,
    );
  for (const field of ["storage_provider", "url", "path"]) {
    if (payload.metadata && field in payload.metadata)
      throw capabilityError(
        `${path}.metadata.${field}: metadata in a file of its own is not read, write its fields here`,
      );
  }
  if (payload.sidecar && payload.existing_files === "rename_new")
    throw definitionError(`${path}.existing_files "rename_new" contradicts the sidecar, which names its file`);
};

const deliveryOf = (payload: DppPackagerPayload, facts: MediaFacts, uid: string): Delivery => {
  const video = mainVideo(facts);
  if (!video) throw definitionError(`${uid} has nothing to package: the file that came in has no picture`);
  const { metadata: programme = {}, sidecar: hasSidecar } = payload;
  const duration = video.duration ?? facts.duration ?? ratio(0);
  return {
    ...{ shim: shims[payload.schema ?? shimFor(video)], facts, video, programme, hasSidecar },
    timeline: buildTimeline(programme.timecodes, { timecode: facts.timecode, duration }),
  };
};

const expectationOf = ({ tracks, picture }: Shim, sounds: DppRecipe["sounds"]): Expectation => {
  const channels = sounds.reduce((sum, each) => sum + each.channels, 0);
  const codec = "pcm_s24le";
  const mono = Array.from({ length: channels }, () => ({ codec, channels: 1 }));
  return { video: { codec: picture.codec }, audio: tracks === "mono" ? mono : [{ codec, channels }] };
};

const outputOf = ({ uid, payload, job, source }: Context, uri: string, expect: Expectation): Output => {
  const sourceName = nameOf(source?.[0]?.files[0]?.uri ?? uri);
  const filled = fillPattern(payload.file_pattern, { sourceName, defaultExtension: ".mxf", jobId: job.id });
  const name = /\.mxf$/i.test(filled) ? filled : `${filled}.mxf`;
  const place = placeOf(payload.location, uri.replace(/\/[^/]*$/, ""), `${uid}.payload.location`);
  return { version: uid, ...place, name, isSequence: false, existing: payload.existing_files, expect };
};

const withoutExpectation = ({ expect: _, ...output }: Output): Output => output;

const notesOf = ({ metadata, sidecar }: DppPackagerPayload, problems: readonly string[], uid: string): string[] => [
  ...problems.map((problem) => `validation was skipped: ${problem}`.slice(0, 2000)),
  ...(metadata && !sidecar
    ? [`${uid}.payload.metadata has no effect: no sidecar is written, and the MXF takes none`]
    : []),
  ...(metadata?.video?.afd !== undefined && sidecar
    ? ["the active format descriptor stands in the sidecar alone"]
    : []),
  ...(metadata?.audio?.audio_loudness_standard === "EBU R 128" && sidecar
    ? ["audio_loudness_standard is what the payload claims: the sound was not measured here"]
    : []),
];
