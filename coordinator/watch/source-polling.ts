import { type Failure, isTransient } from "../../shared/causes.ts";
import type { AnswerOf, QuestionOf } from "../../shared/looks.ts";
import { awaitedAssets, judge, nextLookMs, tooLate } from "../../shared/waiting.ts";
import type { Work } from "../../shared/work.ts";
import type { Wait } from "../memory/waits.ts";

/** The result of an answer about awaited sources: the task fails, starts, or waits for the next check. */
export type Outcome = { readonly failure: Failure } | "there" | Pick<Wait, "watched" | "why" | "next">;

/** Asks for every source that the work has to wait for. */
export const sourcesQuestion = (work: Work, { watched }: Wait): QuestionOf<"sources"> => {
  const manifests = manifestsOf(work);
  const sources = awaitedAssets(work.assets).map(([id, asset]) => {
    const last = watched.get(id)?.seen;
    return [id, { asset, isManifest: manifests.has(id), ...(last && { last }) }];
  });
  return { what: "sources", sources: Object.fromEntries(sources) };
};

/** Decides what an answer means for the task; `now` is the farm's time. */
export const outcomeOf = (wait: Wait, work: Work, answer: AnswerOf<"sources" | "failure">, now: number): Outcome => {
  const waitedMs = now - wait.task.readyTime;
  if (answer.what === "failure") return afterFailure(work, answer.failure, now, waitedMs);
  const verdicts = verdictsOf(wait, work, answer, now);
  const missing = verdicts.filter(({ why }) => why !== undefined);
  const late = missing.find(({ waitSec }) => waitedMs >= waitSec * 1000);
  if (late) return { failure: tooLate(late.uri, late.waitSec, late.why ?? "") };
  const [first] = missing;
  if (!first) return "there";
  const watched = new Map(verdicts.map(({ id, watched }) => [id, watched]));
  const untilEnd = Math.min(...missing.map(({ waitSec }) => waitSec * 1000 - waitedMs));
  const next = now + Math.min(nextLookMs(waitedMs, [...watched.values()]), untilEnd);
  return { watched, why: `${first.uri}: ${first.why}`, next };
};

/** Keeps waiting if the folder cannot be reached for the moment. A mistake in the job fails the task. */
const afterFailure = ({ assets }: Work, failure: Failure, now: number, waitedMs: number): Outcome => {
  const isLate = awaitedAssets(assets).every(([, { waitSec = 0 }]) => waitedMs >= waitSec * 1000);
  if (isLate || !isTransient(failure)) return { failure };
  return { watched: new Map(), why: failure.message, next: now + nextLookMs(waitedMs, []) };
};

const verdictsOf = ({ watched }: Wait, work: Work, { saw }: AnswerOf<"sources">, now: number) => {
  const manifests = manifestsOf(work);
  return awaitedAssets(work.assets).map(([id, { uri, waitSec = 0 }]) => ({
    id,
    uri,
    waitSec,
    ...judge(watched.get(id), saw[id] ?? null, now, manifests.has(id)),
  }));
};

const manifestsOf = ({ steps }: Work): ReadonlySet<string> =>
  new Set(steps.flatMap((step) => (step.do === "manifest" ? [step.asset] : [])));
