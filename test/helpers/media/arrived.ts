import { pollSources } from "../../../agent/files/polling.ts";
import type { PathResolver } from "../../../agent/paths/path-resolver.ts";
import { type Clock, sleep } from "../../../shared/basics/clock.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import { awaitedAssets, judgeSighting, type Watched, waitTimedOut } from "../../../shared/work/polling.ts";
import type { Work } from "../../../shared/work/work.ts";
import { readForeign } from "../agent/read-foreign.ts";

/** Waits for the work's sources as a farm does, with looks of one node. */
export const arrived = async ({ assets, steps }: Work, resolver: PathResolver, clock: Clock): Promise<void> => {
  const looker = { resolver, clock, read: readForeign, signal: new AbortController().signal };
  const manifests = new Set(steps.flatMap((step) => (step.do === "manifest" ? [step.asset] : [])));
  const began = clock.monotonic();
  for (const [id, asset] of awaitedAssets(assets)) {
    const isManifest = manifests.has(id);
    for (let watched: Watched | undefined; ; ) {
      const source = { asset, isManifest, ...(watched && { last: watched.seen }) };
      const { [id]: seen = null } = await pollSources({ [id]: source }, looker);
      const now = clock.monotonic();
      const verdict = judgeSighting(watched, seen, now, isManifest);
      if (verdict.why === undefined) break;
      if (now - began >= (asset.waitSec ?? 0) * 1000) {
        const { cause, message } = waitTimedOut(asset.uri, asset.waitSec ?? 0, verdict.why);
        throw new TaskError(cause, message);
      }
      watched = verdict.watched;
      await sleep(clock, 500);
    }
  }
};
