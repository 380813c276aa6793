import { holdsSecrets } from "../../shared/credentials/redact.ts";
import type { StepKind } from "../../shared/work/work.ts";
import { type Cipher, isSealed, sealed } from "./cipher.ts";
import type { TableName } from "./rows.ts";

/** Whether what a step says may be secret as a whole: texts, code and commands that only their job and its receiver know. */
const secretSteps: Readonly<Record<StepKind, boolean>> = {
  container: true,
  email: true,
  javascript: true,
  request: true,
  stage: true,
  ...{
    atoms: false,
    bif: false,
    captions: false,
    codestream_profile: false,
    copy: false,
    delete: false,
    describe_media: false,
  },
  ...{
    describe_smooth: false,
    document: false,
    dvb_subtitles: false,
    encrypt_segments: false,
    fdkaac: false,
    ffmpeg: false,
  },
  ...{ find_splices: false, frames: false, finish_manifest: false, insert_splices: false, join: false, known: false },
  ...{ list: false, manifest: false, mp4_boxes: false, mxf_lines: false, null_packets: false, own_clock: false },
  ...{ matroska_light: false, mxf_header: false, packager: false, pace_transport: false, place: false },
  ...{ packet_pointers: false },
  ...{ probe: false, refer_media: false, report: false, sidecar: false, subtitles: false },
};

const secretStep = new RegExp(
  `"do":"(?:${Object.entries(secretSteps)
    .flatMap(([kind, isSecret]) => (isSecret ? [kind] : []))
    .join("|")})"`,
);

const workHoldsSecrets = (json: string): boolean => secretStep.test(json) || holdsSecrets(json);

/** Columns of what jobs said and what came of it: encrypted on the disk where they may hold secrets. */
const secretColumns: Partial<Record<TableName, Readonly<Record<string, (text: string) => boolean>>>> = {
  tasks: {
    work: workHoldsSecrets,
    ...{ awaits: holdsSecrets, failure: holdsSecrets, intent: holdsSecrets, published: holdsSecrets },
  },
  runs: { assets: holdsSecrets, failure: holdsSecrets, batches: holdsSecrets },
  attempts: { failure: holdsSecrets, log: holdsSecrets },
  listings: { files: holdsSecrets },
};

/** The form in which a column's text is stored. */
export const storedForm = (cipher: Cipher, table: TableName, column: string, text: string): string => {
  const mayBeSecret = secretColumns[table]?.[column];
  return mayBeSecret && (mayBeSecret(text) || isSealed(text)) ? sealed(cipher, text) : text;
};
