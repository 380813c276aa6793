import type { Intent, IntentFile } from "../../shared/work/work.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { isMadeInPlace } from "../paths/resolved-paths.ts";
import type { Sending } from "../storage/storage.ts";
import type { Verified } from "./verify.ts";

/** `onBytes` gets the bytes of all outputs that were sent so far. */
type StagingNeeds = Pick<Sending, "opened" | "signal" | "pace" | "onBytes" | "onBreak"> & {
  readonly checkpoint: Checkpoint;
  /** Repeats what a server may be able to do soon. */
  readonly patiently: <T>(act: () => Promise<T>) => Promise<T>;
};

/**
 * Moves outputs that were made elsewhere to their hidden names at the target. After that, any node can publish them.
 */
export const stageOutputs = async (verified: readonly Verified[], needs: StagingNeeds): Promise<Intent> => {
  const files: IntentFile[] = [];
  let before = 0;
  for (const each of verified) {
    files.push(await stageOne(each, { ...needs, onBytes: (sent) => needs.onBytes(before + sent) }));
    before += each.file.size;
  }
  return { files };
};

const stageOne = async ({ path, place, file }: Verified, needs: StagingNeeds): Promise<IntentFile> => {
  const folder = file.final.slice(0, file.final.lastIndexOf("/"));
  const isOfPackage = folder !== place.output.folder.replace(/\/+$/, "");
  if (isOfPackage) await needs.patiently(() => place.storage.prepare(folder));
  if (isMadeInPlace(place)) return file;
  const { opened, signal, pace, onBytes, onBreak } = needs;
  const { object } = place.output;
  const sending = { path, move: file, ...(object && { object }), opened, signal, pace, onBytes, onBreak };
  const temp = await place.storage.stage(sending);
  await needs.checkpoint("staged");
  return { ...file, temp };
};
