import type { Step, StepKind } from "../../shared/work/work.ts";
import type { Found, Performer, StepContext } from "./step.ts";

/** Loaded on first use: most nodes need few of them. A new kind of step does not compile until it has its line here. */
const performers: { readonly [K in StepKind]: () => Promise<Performer<K>> } = {
  ffmpeg: async () => (await import("./media/ffmpeg.ts")).performFfmpeg,
  copy: async () => (await import("./files/copy.ts")).performCopy,
  delete: async () => (await import("./files/delete.ts")).performDelete,
  probe: async () => (await import("./media/probe.ts")).performProbe,
  list: async () => (await import("./files/list.ts")).performList,
  manifest: async () => (await import("./packaging/manifest.ts")).performManifest,
  frames: async () => (await import("./media/frames.ts")).performFrames,
  stage: async () => (await import("./files/stage.ts")).performStage,
  request: async () => (await import("./messages/request.ts")).performRequest,
  email: async () => (await import("./messages/email.ts")).performEmail,
  known: async () => (await import("./documents/known.ts")).performKnown,
  document: async () => (await import("./documents/document.ts")).performDocument,
  report: async () => (await import("./documents/report.ts")).performReport,
  javascript: async () => (await import("./scripts/javascript.ts")).performJavascript,
  container: async () => (await import("./scripts/container.ts")).performContainer,
  packager: async () => (await import("./packaging/packager.ts")).performPackager,
  encrypt_segments: async () => (await import("./packaging/encrypt-segments.ts")).performEncryptSegments,
  describe_media: async () => (await import("./packaging/describe-media.ts")).performDescribeMedia,
  describe_smooth: async () => (await import("./packaging/describe-smooth.ts")).performDescribeSmooth,
  place: async () => (await import("./files/place-files.ts")).performPlace,
  bif: async () => (await import("./media/bif.ts")).performBif,
  atoms: async () => (await import("./media/atoms.ts")).performAtoms,
  sidecar: async () => (await import("./files/sidecar.ts")).performSidecar,
  fdkaac: async () => (await import("./media/fdkaac.ts")).performFdkaac,
  subtitles: async () => (await import("./media/subtitles.ts")).performSubtitles,
  dvb_subtitles: async () => (await import("./media/dvb-subtitles.ts")).performDvbSubtitles,
  captions: async () => (await import("./media/captions.ts")).performCaptions,
  null_packets: async () => (await import("./splices/null-packets.ts")).performNullPackets,
  own_clock: async () => (await import("./splices/own-clock.ts")).performOwnClock,
  find_splices: async () => (await import("./splices/find-splices.ts")).performFindSplices,
  insert_splices: async () => (await import("./splices/insert-splices.ts")).performInsertSplices,
  pace_transport: async () => (await import("./splices/pace-transport.ts")).performPaceTransport,
  mp4_boxes: async () => (await import("./media/mp4-boxes.ts")).performMp4Boxes,
  mxf_lines: async () => (await import("./media/mxf-lines.ts")).performMxfLines,
  mxf_header: async () => (await import("./media/mxf-header.ts")).performMxfHeader,
  matroska_light: async () => (await import("./media/matroska-light.ts")).performMatroskaLight,
  packet_pointers: async () => (await import("./media/packet-pointers.ts")).performPacketPointers,
  refer_media: async () => (await import("./media/refer-media.ts")).performReferMedia,
  codestream_profile: async () => (await import("./media/codestream-profile.ts")).performCodestreamProfile,
  finish_manifest: async () => (await import("./packaging/finish-manifest.ts")).performFinishManifest,
  join: async () => (await import("./media/join.ts")).performJoin,
};

export const performStep = async (step: Step, context: StepContext): Promise<Found | undefined> => {
  // The table pairs each kind with its own performer, which TypeScript cannot follow through an index.
  const perform = (await performers[step.do]()) as (step: Step, context: StepContext) => Promise<Found | undefined>;
  return perform(step, context);
};
