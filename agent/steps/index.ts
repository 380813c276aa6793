import type { Step, StepKind } from "../../shared/work.ts";
import { performAtoms } from "./atoms.ts";
import { performBif } from "./bif.ts";
import { performCaptions } from "./captions.ts";
import { performContainer } from "./container.ts";
import { performCopy } from "./copy.ts";
import { performDelete } from "./delete.ts";
import { performDescribeMedia } from "./describe-media.ts";
import { performDescribeSmooth } from "./describe-smooth.ts";
import { performDocument } from "./document.ts";
import { performEmail } from "./email.ts";
import { performEncryptSegments } from "./encrypt-segments.ts";
import { performFdkaac } from "./fdkaac.ts";
import { performFfmpeg } from "./ffmpeg.ts";
import { performFindSplices } from "./find-splices.ts";
import { performFrames } from "./frames.ts";
import { performIndexManifest } from "./index-manifest.ts";
import { performInsertSplices } from "./insert-splices.ts";
import { performJavascript } from "./javascript.ts";
import { performJoin } from "./join.ts";
import { performKnown } from "./known.ts";
import { performList } from "./list.ts";
import { performManifest } from "./manifest.ts";
import { performMp4Boxes } from "./mp4-boxes.ts";
import { performNullPackets } from "./null-packets.ts";
import { performPackager } from "./packager.ts";
import { performPlace } from "./place.ts";
import { performProbe } from "./probe.ts";
import { performReport } from "./report.ts";
import { performRequest } from "./request.ts";
import { performSidecar } from "./sidecar.ts";
import { performStage } from "./stage.ts";
import type { Found, Performer, StepContext } from "./step.ts";
import { performSubtitles } from "./subtitles.ts";

/** A new kind of step does not compile until it has its line here. */
const performers: { readonly [K in StepKind]: Performer<K> } = {
  ffmpeg: performFfmpeg,
  copy: performCopy,
  delete: performDelete,
  probe: performProbe,
  list: performList,
  manifest: performManifest,
  frames: performFrames,
  stage: performStage,
  request: performRequest,
  email: performEmail,
  known: performKnown,
  document: performDocument,
  report: performReport,
  javascript: performJavascript,
  container: performContainer,
  packager: performPackager,
  encrypt_segments: performEncryptSegments,
  describe_media: performDescribeMedia,
  describe_smooth: performDescribeSmooth,
  place: performPlace,
  bif: performBif,
  atoms: performAtoms,
  sidecar: performSidecar,
  fdkaac: performFdkaac,
  subtitles: performSubtitles,
  captions: performCaptions,
  null_packets: performNullPackets,
  find_splices: performFindSplices,
  insert_splices: performInsertSplices,
  mp4_boxes: performMp4Boxes,
  index_manifest: performIndexManifest,
  join: performJoin,
};

export const performStep = (step: Step, context: StepContext): Promise<Found | undefined> => {
  // The table pairs each kind with its own performer, which TypeScript cannot follow through an index.
  const perform = performers[step.do] as (step: Step, context: StepContext) => Promise<Found | undefined>;
  return perform(step, context);
};
