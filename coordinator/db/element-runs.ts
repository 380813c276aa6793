import type { Asset } from "../../shared/asset.ts";
import type { Failure } from "../../shared/causes.ts";
import type { ElementSpec } from "../../shared/job.ts";
import { type ElementRunEvent, type ElementRunState, elementRunMachine } from "../../shared/state/element-run.ts";
import { next } from "../../shared/state/machine.ts";
import type { Db } from "./open.ts";
import { createUpdate } from "./update.ts";

export type ElementRunRow = {
  readonly uid: string;
  readonly kind: string;
  readonly spec: ElementSpec;
  readonly state: ElementRunState;
  readonly rounds: number;
  readonly assets: readonly Asset[];
  readonly failure: Failure | undefined;
};

type Raw = Pick<ElementRunRow, "uid" | "state" | "rounds"> & {
  readonly assets: string | null;
  readonly failure: string | null;
};

/** An element that nothing was written of yet. */
export const waitingRun = (spec: ElementSpec): ElementRunRow => ({
  uid: spec.uid,
  kind: spec.kind,
  spec,
  state: "waiting",
  rounds: 0,
  assets: [],
  failure: undefined,
});

const begunRun = (spec: ElementSpec, { state, rounds, assets, failure }: Raw): ElementRunRow => ({
  ...waitingRun(spec),
  state,
  rounds,
  assets: JSON.parse(assets ?? "[]"),
  failure: failure === null ? undefined : JSON.parse(failure),
});

export const createElementRunStore = ({ writer, point, memo }: Db) => {
  const current = createRead(writer);
  const committed = createRead(point);
  const begin = writer.prepare(
    `INSERT INTO element_runs (job_id, uid, state, assets, failure) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (job_id, uid) DO NOTHING`,
  );
  const move = createUpdate<"state" | "assets" | "failure">(
    writer,
    "element_runs",
    "job_id = ? AND uid = ? AND state = ?",
  );
  const countRound = writer.prepare("UPDATE element_runs SET rounds = rounds + 1 WHERE job_id = ? AND uid = ?");

  const ofJob = (jobId: number): readonly ElementRunRow[] => {
    const known = memo.of(jobId);
    known.runs ??= current(jobId);
    return known.runs;
  };
  const remember = (jobId: number, uid: string, changed: (run: ElementRunRow) => ElementRunRow): void => {
    const known = memo.of(jobId);
    const at = known.runs?.findIndex((run) => run.uid === uid) ?? -1;
    const run = known.runs?.[at];
    if (run) known.runs = known.runs?.with(at, changed(run));
  };

  return {
    /** Inside a commit. */
    ofJob,
    /** Outside of one. */
    read: committed,
    /** False where the event means nothing in the run's present state: someone else was first. */
    move: (
      jobId: number,
      run: ElementRunRow,
      event: ElementRunEvent,
      more: { assets?: readonly Asset[]; failure?: Failure } = {},
    ): boolean => {
      const to = next(elementRunMachine, run.state, event);
      if (to === undefined) return false;
      const assets = more.assets && JSON.stringify(more.assets);
      const failure = more.failure && JSON.stringify(more.failure);
      const changes =
        run.state === "waiting"
          ? begin.run(jobId, run.uid, to, assets ?? null, failure ?? null).changes
          : move({ state: to, assets, failure }, jobId, run.uid, run.state);
      if (changes === 0) return false;
      remember(jobId, run.uid, (known) => ({
        ...known,
        state: to,
        assets: more.assets ?? known.assets,
        failure: more.failure ?? known.failure,
      }));
      return true;
    },
    countRound: (jobId: number, uid: string): void => {
      countRound.run(jobId, uid);
      remember(jobId, uid, (run) => ({ ...run, rounds: run.rounds + 1 }));
    },
  };
};

/** All elements of a job, in the order of its definition. */
const createRead = (db: Db["point"]) => {
  const elements = db.prepare<[number], { elements: string }>("SELECT elements FROM job_definitions WHERE job_id = ?");
  const runs = db.prepare<[number], Raw>(
    "SELECT uid, state, rounds, assets, failure FROM element_runs WHERE job_id = ?",
  );
  return (jobId: number): ElementRunRow[] => {
    const specs = JSON.parse(elements.get(jobId)?.elements ?? "[]") as ElementSpec[]; // as they were stored
    const begun = new Map(runs.all(jobId).map((raw) => [raw.uid, raw]));
    return specs.map((spec) => {
      const raw = begun.get(spec.uid);
      return raw ? begunRun(spec, raw) : waitingRun(spec);
    });
  };
};
