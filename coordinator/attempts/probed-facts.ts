import { redactText } from "../../shared/credentials/redact.ts";
import { isRemote } from "../../shared/files/storage.ts";
import type { Owned } from "../../shared/rights/reach.ts";
import type { Published, Work } from "../../shared/work/work.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { isBelieved } from "../nodes/believed.ts";
import type { Nodes } from "../nodes/nodes.ts";
import type { FactsRow } from "../store/rows.ts";

type Parts = Pick<Nodes, "clock" | "registry">;
type Finding = Published["found"][string];

/** The number of files that are noted per attempt. */
const mostNoted = 20;

/** Notes which files the node made or fetched. This is only a hint, so it need not be durable. */
export const noteFileLocations = (
  { fileLocations }: Pick<Nodes, "fileLocations">,
  nodeId: number,
  work: Work | undefined,
  { outputs }: Published,
): void => {
  const made = Object.values(outputs).flatMap((files) => files.slice(0, mostNoted).map(({ uri }) => uri));
  const read = Object.values(work?.assets ?? {}).flatMap(({ uri }) => (isRemote(uri) ? [uri] : []));
  for (const uri of [...made, ...read].slice(0, mostNoted)) fileLocations.note(uri, nodeId);
};

/** The files whose stored facts `keepFacts` reads. */
export const urisWithFacts = (published: Published | undefined): string[] =>
  Object.values(published?.found ?? {}).flatMap(({ unchanged, file }) => (unchanged || file.facts ? [file.uri] : []));

/** A signed address opens its file by itself, and is another one the next time: nothing is kept under it. */
const isPlain = (uri: string): boolean => redactText(uri) === uri;

/**
 * Stores new facts, as found by the job's owner, and fills in stored ones that the node found unchanged: of the very file
 * that it saw, as another node may have told otherwise since the task was planned. Without facts the file is looked at anew.
 */
export const keepFacts = (
  farm: Parts,
  draft: Transaction,
  published: Published,
  { owner_id, owner_group, found_by }: Owned & Pick<FactsRow, "found_by">,
): Published => {
  const entries = Object.entries(published.found).map(([stepId, each]) => {
    const { uri, size, modified, facts, pieces, images } = each.file;
    if (
      !each.unchanged &&
      !pieces &&
      !images &&
      facts &&
      size !== undefined &&
      modified !== undefined &&
      isPlain(uri)
    ) {
      draft.setFacts(uri, {
        size,
        modified,
        tool: each.tool,
        facts,
        found: farm.clock.now(),
        found_by,
        owner_id,
        owner_group,
      });
    }
    const kept = each.unchanged ? keptOf(farm, draft, each) : undefined;
    return [
      stepId,
      kept ? { ...each, file: { uri, size: kept.size, modified: kept.modified, facts: kept.facts } } : each,
    ];
  });
  return { ...published, found: Object.fromEntries(entries) };
};

const keptOf = (farm: Parts, draft: Transaction, { tool, file: { uri, size, modified } }: Finding) => {
  const kept = draft.facts(uri);
  const isSeen = kept?.size === size && kept?.modified === modified && kept?.tool === tool;
  return kept && isSeen && isBelieved(farm.registry, kept) ? kept : undefined;
};
