import { z } from "zod";
import { addressText, keyText, recordOf } from "../basics/bounds.ts";
import { selection } from "../files/file-selection.ts";
import { objectOptions } from "../files/object-options.ts";
import { weakness } from "../files/storage.ts";
import { assetFile, checksum, imageSequence, mediaFacts, piece } from "../model/asset.ts";
import { layer } from "../model/layer.ts";
import { stepResults } from "../model/step-result.ts";
import { plainName } from "./arguments.ts";
import { type Expectation, expectation } from "./expectation.ts";
import { frameListing, frameQuestion } from "./frame-listing.ts";
import { manifest } from "./manifest.ts";
import { atomsStep } from "./media-steps/atoms.ts";
import { bifStep } from "./media-steps/bif.ts";
import { captionsStep } from "./media-steps/captions.ts";
import { codestreamProfileStep } from "./media-steps/codestream-profile.ts";
import { describeMediaStep } from "./media-steps/describe-media.ts";
import { describeSmoothStep } from "./media-steps/describe-smooth.ts";
import { dvbSubtitlesStep } from "./media-steps/dvb-subtitles.ts";
import { encryptSegmentsStep } from "./media-steps/encrypt-segments.ts";
import { fdkaacStep } from "./media-steps/fdkaac.ts";
import { ffmpegStep } from "./media-steps/ffmpeg.ts";
import { finishManifestStep } from "./media-steps/finish-manifest.ts";
import { matroskaLightStep } from "./media-steps/matroska-light.ts";
import { mp4BoxesStep } from "./media-steps/mp4-boxes.ts";
import { mxfHeaderStep } from "./media-steps/mxf-header.ts";
import { mxfLinesStep } from "./media-steps/mxf-lines.ts";
import { nullPacketsStep } from "./media-steps/null-packets.ts";
import { ownClockStep, paceTransportStep } from "./media-steps/own-clock.ts";
import { packagerStep } from "./media-steps/packager.ts";
import { packetPointersStep } from "./media-steps/packet-pointers.ts";
import { referMediaStep } from "./media-steps/refer-media.ts";
import { sidecarStep } from "./media-steps/sidecar.ts";
import { findSplicesStep, insertSplicesStep } from "./media-steps/splices.ts";
import { subtitlesStep } from "./media-steps/subtitles.ts";
import { containerStep } from "./steps/container.ts";
import { copyStep } from "./steps/copy.ts";
import { deleteStep } from "./steps/delete.ts";
import { documentStep } from "./steps/document.ts";
import { emailStep } from "./steps/email.ts";
import { javascriptStep } from "./steps/javascript.ts";
import { joinStep } from "./steps/join.ts";
import { knownStep } from "./steps/known.ts";
import { listStep } from "./steps/list.ts";
import { placeStep } from "./steps/place.ts";
import { reportStep } from "./steps/report.ts";
import { requestStep } from "./steps/request.ts";
import { stepId } from "./steps/step-id.ts";

export type { Expectation };

/**
 * What a task does, as data: made by an element's `compile` on the coordinator, stored with the task, performed by an
 * agent. Paths are references that the node resolves by its mounts; agents own no code per element kind.
 */

export const probeStep = z.strictObject({
  do: z.literal("probe"),
  id: stepId,
  asset: z.string(),
  /** Facts that the coordinator keeps already: a file of this size and time, read by this tool, is not probed again. */
  known: z.strictObject({ size: z.number(), modified: z.number(), tool: z.string() }).optional(),
});

/** Reads a playlist, manifest or composition, and what it refers to, as far as the addresses of media. */
export const manifestStep = z.strictObject({ do: z.literal("manifest"), id: stepId, asset: z.string() });

/** Lists all packets of a file's picture, for who must know when a frame is shown or how frames depend on one another. */
export const framesStep = z.strictObject({
  do: z.literal("frames"),
  id: stepId,
  asset: z.string(),
  question: frameQuestion,
});

/** Puts a checked copy of a file, a file of the program's own, or a text into the attempt's folder under a plain name. */
export const stageStep = z.strictObject({
  do: z.literal("stage"),
  id: stepId,
  as: plainName,
  from: z.union([
    z.strictObject({ asset: z.string() }),
    /** A name in the agent's table of bundled files. */
    z.strictObject({ bundled: plainName }),
    z.strictObject({ text: z.string().max(1_000_000) }),
  ]),
});

export const step = z.discriminatedUnion("do", [
  ffmpegStep,
  copyStep,
  deleteStep,
  probeStep,
  manifestStep,
  framesStep,
  stageStep,
  requestStep,
  emailStep,
  knownStep,
  documentStep,
  reportStep,
  javascriptStep,
  containerStep,
  packagerStep,
  encryptSegmentsStep,
  describeMediaStep,
  describeSmoothStep,
  placeStep,
  bifStep,
  atomsStep,
  sidecarStep,
  fdkaacStep,
  listStep,
  subtitlesStep,
  dvbSubtitlesStep,
  captionsStep,
  nullPacketsStep,
  ownClockStep,
  paceTransportStep,
  findSplicesStep,
  insertSplicesStep,
  mp4BoxesStep,
  mxfLinesStep,
  mxfHeaderStep,
  matroskaLightStep,
  packetPointersStep,
  referMediaStep,
  codestreamProfileStep,
  finishManifestStep,
  joinStep,
]);
export type Step = z.output<typeof step>;
export type StepKind = Step["do"];
export type StepOf<K extends StepKind> = Extract<Step, { do: K }>;

/** Part of a file's name. */
const tempPrefix = z
  .string()
  .max(60)
  .regex(/^[^/\\\0]*$/, "must be part of a name");

/** What happens where the target's file is there already; the API's own words. */
export const existingFiles = z.enum([
  "delete_and_replace",
  "replace",
  "replace_late",
  "rename_new",
  "rename_org",
  "fail",
]);
export type ExistingFiles = z.output<typeof existingFiles>;

export const output = z.strictObject({
  /** Uid of the asset version that its files make. */
  version: z.string(),
  folder: z.string(),
  /** A file's name; of a sequence the pattern with one `%d` or `%0Nd`. */
  name: z.string().min(1).max(255),
  isSequence: z.boolean().default(false),
  /** Many files, in folders or not, of which this one names all others: a playlist, a manifest. It is shown last. */
  isPackage: z.boolean().optional(),
  /** All files that come to lie below a folder, in folders or not; the name is only of what hides them until then. */
  isTree: z.boolean().optional(),
  existing: existingFiles,
  /** Goes with the asset that it makes. */
  layer: layer.optional(),
  /** Where it is made before it lies beside its target, beside the target at once if nothing is said; and what its
   * temporary names begin with. */
  temp: z.strictObject({ folder: z.string().optional(), prefix: tempPrefix.optional() }).optional(),
  object: objectOptions.optional(),
  /** Absent: the bytes are checked by size only. */
  expect: expectation.optional(),
});
export type Output = z.output<typeof output>;

/** It is made as a folder. */
export const isFolder = ({ isSequence, isPackage, isTree }: Kinds): boolean =>
  isSequence || isPackage === true || isTree === true;
type Kinds = Pick<Output, "isSequence" | "isPackage" | "isTree">;

/** What a step reads: one file, the joined bytes of several, or a sequence of pictures. */
export const workAsset = z.strictObject({
  uri: z.string(),
  pieces: z.array(piece).max(20_000).optional(),
  images: imageSequence.optional(),
  /** Seconds to wait for a file that is missing or still growing. */
  waitSec: z.number().nonnegative().optional(),
  /** The size and time that the file had when the job looked at it: another file is not copied in its place. */
  looked: z.strictObject({ size: z.number(), modified: z.number() }).optional(),
  /** Seconds for which a node keeps its copy of a remote file. */
  cacheSec: z.number().nonnegative().optional(),
});
export type WorkAsset = z.output<typeof workAsset>;

/** A folder that is watched until the task is stopped: each file that comes to lie there is taken once. */
export const watch = z.strictObject({
  /** Its address. */
  folder: z.string(),
  selection,
  intervalSec: z.number().positive(),
  /** Files that lie there at the first look are taken too. */
  takesExisting: z.boolean(),
  /** Files stay remembered when they leave the folder. */
  isTracked: z.boolean(),
  /** By this they are remembered beyond the job. */
  key: z.string().optional(),
});
export type Watch = z.output<typeof watch>;

export const work = z.strictObject({
  assets: z.record(z.string(), workAsset),
  outputs: z.record(z.string(), output),
  steps: z.array(step).min(1).max(1000),
  /** In place of steps: no node is ever given the task. */
  watch: watch.optional(),
  /** What is removed once all outputs are published. */
  after: z.array(deleteStep).max(10).optional(),
  /** What the plan decided that its author should know of; the first lines of the attempt's log. */
  notes: z.array(z.string().max(2000)).max(100).optional(),
});
export type Work = z.output<typeof work>;

/** One file between being made and being seen: where it lies, where it goes, and how to know it again. */
export const intentFile = z.strictObject({
  output: keyText,
  temp: addressText,
  final: addressText,
  size: z.number().int().nonnegative(),
  /** SHA-256 over the size and samples of head, middle and tail: tells the attempt's file from anybody else's. */
  identity: z.string().max(200),
  existing: existingFiles,
  facts: mediaFacts.optional(),
  /** Absent where the file was copied without being read, or is one of very many. */
  checksum: checksum.optional(),
});
export type IntentFile = z.output<typeof intentFile>;

export const intent = z.strictObject({
  files: z.array(intentFile).max(100_000),
  /** What the steps found out, so that it is not lost where another attempt publishes what this one made. */
  results: stepResults.optional(),
});
export type Intent = z.output<typeof intent>;

/** What a node sees of another one's intent, and whether that tells where its files are. */
export const seenStates = { published: true, ready: true, absent: false, out_of_reach: false } as const;
export type SeenState = keyof typeof seenStates;
export const seenState = z.enum(Object.keys(seenStates) as [SeenState, ...SeenState[]]); // Object.keys forgets the names

/** What a finished attempt hands in. */
export const published = z.strictObject({
  /** Output id -> its files as they are now seen. */
  outputs: recordOf(z.array(assetFile).max(100_000), 10_000),
  /** Step id -> what it found. */
  found: recordOf(
    z.strictObject({
      unchanged: z.boolean(),
      file: assetFile,
      tool: keyText,
      manifest: manifest.optional(),
      frames: frameListing.optional(),
    }),
    10_000,
  ),
  results: stepResults.optional(),
  /** What its storage could not promise. */
  weaker: z.array(weakness).max(10).optional(),
});
export type Published = z.output<typeof published>;
