import type { Farm } from "../../../coordinator/farm.ts";
import { pauseJob, resumeJob } from "../../../coordinator/jobs/pause.ts";
import { retryJob, retryTask } from "../../../coordinator/jobs/retry.ts";
import { deleteJob, stopJob } from "../../../coordinator/jobs/stop.ts";
import { submitJob } from "../../../coordinator/jobs/submit.ts";
import { stepPriority, updateJob } from "../../../coordinator/jobs/update.ts";
import { setTagLimits } from "../../../coordinator/nodes/compute-groups.ts";
import { changeNetworkRules } from "../../../coordinator/nodes/network-rules.ts";
import { mountHandlers } from "../../../coordinator/routes/mounts.ts";
import { AppError, messageOf } from "../../../shared/basics/errors.ts";
import type { FarmMount } from "../../../shared/files/mounts.ts";
import type { Life } from "../engine/life.ts";
import type { Random } from "../engine/random.ts";
import type { JobPlan } from "./job-plan.ts";
import { looks } from "./looks.ts";

/** A job that was sent: what it was promised, and what was done to it. */
export type Sent = {
  readonly key: string;
  readonly plan: JobPlan;
  /** Undefined until a submission was answered. */
  id: number | undefined;
  /** Asked for at least once, answered or not. */
  readonly asked: Set<Wish>;
  /** Answered as done. */
  readonly done: Set<Wish>;
  /** Ends with its last wish so far: only the hasty ask for the next before the last was answered. */
  last: Promise<void>;
};

export type Wish =
  | "stop"
  | "delete"
  | "priority"
  | "step"
  | "pause"
  | "resume"
  | "retry"
  | "requeue"
  | "rename"
  | "go on";

export type PeopleNeeds = {
  readonly random: Random;
  readonly life: Life;
  /** The coordinator's farm and life, if it runs. */
  readonly coordinator: () => { readonly farm: Farm; readonly life: Life } | undefined;
  readonly note: (kind: string, what: string) => void;
  readonly delayMs: () => number;
  /** Somebody gives a secret to the farm. */
  readonly onSecret: (secret: string) => void;
  /** A request ended with an error that says nothing to whoever asked. */
  readonly onBroken: (problem: unknown) => void;
};

/** An answer that does not come within this time is not waited for. */
const patienceMs = 30_000;

/** Files that were published before stay where they are, and others than these policies do not replace them. */
const mayReplan = ({ job }: JobPlan): boolean => !/"existing_files":"(?!replace")/.test(JSON.stringify(job));

/** In words that whoever asked understands; who went away himself hears of nothing. */
const isSaid = (problem: unknown): boolean =>
  problem instanceof AppError || (problem instanceof Error && problem.name === "AbortError");

type Act = (farm: Farm, id: number, random: Random, plan: JobPlan) => Promise<unknown>;

const wishes: Readonly<Record<Wish, Act>> = {
  stop: (farm, id) => stopJob(farm, id),
  delete: (farm, id) => deleteJob(farm, id),
  priority: (farm, id, random) => updateJob(farm, id, { priority: random.integer(1, 200) }),
  pause: (farm, id) => pauseJob(farm, id),
  resume: (farm, id) => resumeJob(farm, id),
  step: (farm, id, random) => stepPriority(farm, id, random.integer(-50, 50)),
  rename: (farm, id, random) => updateJob(farm, id, { name: `renamed ${random.integer(1, 99)}` }),
  retry: (farm, id, random, plan) => {
    const replan = random.chance(0.5) && mayReplan(plan);
    return retryJob(farm, id, { scope: "failed", taskIds: [], replan });
  },
  "go on": (farm, id) => retryJob(farm, id, { scope: "failed", taskIds: [], replan: false }),
  requeue: async (farm, id) => {
    const [failed] = await farm.change([id], (draft) =>
      [...draft.job(id).tasks.values()].filter(({ state }) => state === "failed"),
    );
    if (failed) await retryTask(farm, failed, false);
  },
};

/** People and programs that send jobs, and change their mind. They repeat what was not answered. */
export const createPeople = ({ random, life, coordinator, note, delayMs, onSecret, onBroken }: PeopleNeeds) => {
  const sent: Sent[] = [];
  const limits = new Map<string, number>();

  /** One request over the network: to the coordinator, and back if it lives so long. */
  const ask = <T>(act: (farm: Farm) => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      const giveUp = life.after(patienceMs, () => reject(new AppError("UNAVAILABLE", "no answer")));
      const answer = (how: () => void): void => {
        life.after(delayMs(), () => {
          giveUp();
          how();
        });
      };
      life.after(delayMs(), () => {
        const there = coordinator();
        if (!there) return answer(() => reject(new AppError("UNAVAILABLE", "connection refused")));
        there.life.meet(() => {
          act(there.farm).then(
            (value) => answer(() => resolve(value)),
            (problem) => answer(() => reject(problem)),
          );
        });
      });
    });

  /** Until it is answered with yes or no. */
  const insist = async <T>(what: string, act: (farm: Farm) => Promise<T>): Promise<T | undefined> => {
    for (;;) {
      try {
        return await ask(act);
      } catch (problem) {
        if (!(problem instanceof AppError)) {
          note("broken", `${what}: ${messageOf(problem)}`);
          onBroken(problem);
        }
        if (problem instanceof AppError && problem.code !== "UNAVAILABLE") {
          note("refused", `${what} ${problem.code}`);
          return undefined;
        }
        await new Promise<void>((resolve) => life.after(random.wait(2000), resolve));
      }
    }
  };

  return {
    sent: (): readonly Sent[] => sent,
    submit: async (plan: JobPlan): Promise<Sent | undefined> => {
      const key = `key-${sent.length}`;
      const each: Sent = { key, plan, id: undefined, asked: new Set(), done: new Set(), last: Promise.resolve() };
      sent.push(each);
      if (plan.secret !== undefined) onSecret(plan.secret);
      const answered = await insist(`submit ${key}`, (farm) => submitJob(farm, plan.job, { who: "people", key }));
      if (!answered) return undefined;
      each.id = answered.id;
      note("submitted", `${key} as ${answered.id}`);
      return each;
    },
    /** Adds a mount to those of the farm, or takes one away. */
    mount: async (change: { readonly set?: FarmMount; readonly remove?: string }): Promise<void> => {
      const [set, remove] = [change.set ? [change.set] : [], change.remove === undefined ? [] : [change.remove]];
      await insist(`mount ${change.set?.prefix ?? change.remove}`, async (farm) => {
        const { changeMounts } = mountHandlers(farm);
        await changeMounts({ set, remove });
        return true;
      });
    },
    /** Adds a rule for addresses to those of the farm, or takes one away. */
    allow: async (change: { readonly add?: string; readonly remove?: string }): Promise<void> => {
      const [add, remove] = [change.add, change.remove].map((rule) => (rule === undefined ? [] : [rule]));
      await insist(`allow ${change.add ?? change.remove}`, (farm) =>
        changeNetworkRules(farm, { add: add ?? [], remove: remove ?? [] }),
      );
    },
    /** Somebody looks at something, and asks no second time. */
    look: async (drawn: Random): Promise<void> => {
      await ask((farm) => drawn.one(looks)(farm, drawn)).catch((problem) => {
        if (!isSaid(problem)) onBroken(problem);
      });
    },
    limit: async (tag: string, most: number): Promise<void> => {
      const done = await insist(`limit ${tag}`, async (farm) => {
        await setTagLimits(farm, [{ tag, most }]);
        return true;
      });
      if (done) limits.set(tag, most);
    },
    limits: (): ReadonlyMap<string, number> => limits,
    /** Whoever is hasty does not wait for the answer to what was asked before about the job. */
    wish: (each: Sent, wish: Wish, isHasty = false): Promise<void> => {
      const { id } = each;
      if (id === undefined) return Promise.resolve();
      const turn = isHasty ? Promise.resolve() : each.last;
      const mine = turn.then(async () => {
        each.asked.add(wish);
        const answered = await insist(`${wish} ${id}`, async (farm) => {
          await wishes[wish](farm, id, random, each.plan);
          return true;
        });
        if (answered) each.done.add(wish);
        note("wished", `${wish} ${id}`);
      });
      each.last = isHasty ? Promise.all([each.last, mine]).then(() => undefined) : mine;
      return mine;
    },
  };
};
