import type { Intent, IntentFile } from "../shared/work.ts";
import type { Checkpoint } from "./checkpoint.ts";
import { isMadeInPlace } from "./path-resolver.ts";
import type { Verified } from "./verify.ts";

export type StagingNeeds = {
  readonly checkpoint: Checkpoint;
  /** Told every address that the attempt comes to own, before anything is sent there. */
  readonly opened: (address: string) => Promise<void>;
  readonly signal: AbortSignal;
  readonly onBytes: () => void;
};

/** Brings what was made elsewhere to where it waits unseen; then any node can publish it. */
export const stageOutputs = async (verified: readonly Verified[], needs: StagingNeeds): Promise<Intent> => {
  const files: IntentFile[] = [];
  for (const each of verified) files.push(await stageOne(each, needs));
  return { files };
};

const stageOne = async ({ path, place, file }: Verified, needs: StagingNeeds): Promise<IntentFile> => {
  const folder = file.final.slice(0, file.final.lastIndexOf("/"));
  if (folder !== place.output.folder.replace(/\/+$/, "")) await place.storage.prepare(folder); // a package's own
  if (isMadeInPlace(place)) return file;
  const { opened, signal, onBytes } = needs;
  const temp = await place.storage.stage({ path, move: file, opened, signal, onBytes });
  await needs.checkpoint("staged");
  return { ...file, temp };
};
