import { lookAtSources } from "../../agent/looks.ts";
import type { PathResolver } from "../../agent/path-resolver.ts";
import { TaskError } from "../../shared/causes.ts";
import { systemClock } from "../../shared/system-clock.ts";
import { awaitedAssets, judge, tooLate, type Watched } from "../../shared/waiting.ts";
import type { Work } from "../../shared/work.ts";

/** Waits for the work's sources as a farm does, with looks of one node. */
export const arrived = async ({ assets, steps }: Work, resolver: PathResolver): Promise<void> => {
  const looker = { resolver, clock: systemClock, signal: new AbortController().signal };
  const manifests = new Set(steps.flatMap((step) => (step.do === "manifest" ? [step.asset] : [])));
  const began = systemClock.monotonic();
  for (const [id, asset] of awaitedAssets(assets)) {
    const isManifest = manifests.has(id);
    for (let watched: Watched | undefined; ; ) {
      const source = { asset, isManifest, ...(watched && { last: watched.seen }) };
      const { [id]: seen = null } = await lookAtSources({ [id]: source }, looker);
      const now = systemClock.monotonic();
      const verdict = judge(watched, seen, now, isManifest);
      if (verdict.why === undefined) break;
      if (now - began >= (asset.waitSec ?? 0) * 1000) {
        const { cause, message } = tooLate(asset.uri, asset.waitSec ?? 0, verdict.why);
        throw new TaskError(cause, message);
      }
      watched = verdict.watched;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
};
