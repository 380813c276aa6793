import { type Failure, isTransient } from "../../shared/model/failure.ts";
import type { PollRequestOf, PollResponseOf } from "../../shared/protocol/polling.ts";
import { awaitedAssets, judgeSighting, nextPollMs, waitTimedOut } from "../../shared/work/polling.ts";
import type { Work } from "../../shared/work/work.ts";
import type { Poll } from "../schedule/polls.ts";

/** The result of an answer about awaited sources: the task fails, starts, or waits for the next check. */
export type PollOutcome = { readonly failure: Failure } | "there" | Pick<Poll, "watched" | "why" | "next">;

/** Asks for every source that the work has to wait for. */
export const buildSourcesQuestion = (work: Work, { watched }: Poll): PollRequestOf<"sources"> => {
  const manifests = manifestsOf(work);
  const sources = awaitedAssets(work.assets).map(([id, asset]) => {
    const last = watched.get(id)?.seen;
    return [id, { asset, isManifest: manifests.has(id), ...(last && { last }) }];
  });
  return { what: "sources", sources: Object.fromEntries(sources) };
};

/** Decides what an answer means for the task; `now` is the farm's time. */
export const judgeSources = (
  wait: Poll,
  work: Work,
  answer: PollResponseOf<"sources" | "failure">,
  now: number,
): PollOutcome => {
  const waitedMs = now - wait.task.readyTime;
  if (answer.what === "failure") return afterFailure(work, answer.failure, now, waitedMs);
  const verdicts = verdictsOf(wait, work, answer, now);
  const missing = verdicts.filter(({ why }) => why !== undefined);
  const late = missing.find(({ waitSec }) => waitedMs >= waitSec * 1000);
  if (late) return { failure: waitTimedOut(late.uri, late.waitSec, late.why ?? "") };
  const [first] = missing;
  if (!first) return "there";
  const watched = new Map(verdicts.map(({ id, watched }) => [id, watched]));
  const untilEnd = Math.min(...missing.map(({ waitSec }) => waitSec * 1000 - waitedMs));
  const next = now + Math.min(nextPollMs(waitedMs, [...watched.values()]), untilEnd);
  return { watched, why: `${first.uri}: ${first.why}`, next };
};

/** Keeps waiting if the folder cannot be reached for the moment. A mistake in the job fails the task. */
const afterFailure = ({ assets }: Work, failure: Failure, now: number, waitedMs: number): PollOutcome => {
  const isLate = awaitedAssets(assets).every(([, { waitSec = 0 }]) => waitedMs >= waitSec * 1000);
  if (isLate || !isTransient(failure)) return { failure };
  return { watched: new Map(), why: failure.message, next: now + nextPollMs(waitedMs, []) };
};

const verdictsOf = ({ watched }: Poll, work: Work, { saw }: PollResponseOf<"sources">, now: number) => {
  const manifests = manifestsOf(work);
  return awaitedAssets(work.assets).map(([id, { uri, waitSec = 0 }]) => ({
    id,
    uri,
    waitSec,
    ...judgeSighting(watched.get(id), saw[id] ?? null, now, manifests.has(id)),
  }));
};

const manifestsOf = ({ steps }: Work): ReadonlySet<string> =>
  new Set(steps.flatMap((step) => (step.do === "manifest" ? [step.asset] : [])));
