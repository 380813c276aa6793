import type { Farm } from "../../../coordinator/farm.ts";
import { pauseJob, resumeJob } from "../../../coordinator/jobs/pause.ts";
import { retryJob } from "../../../coordinator/jobs/retry.ts";
import { deleteJob, stopJob } from "../../../coordinator/jobs/stop.ts";
import { submitJob } from "../../../coordinator/jobs/submit.ts";
import { updateJob } from "../../../coordinator/jobs/update.ts";
import { AppError, messageOf } from "../../../shared/basics/errors.ts";
import type { Life } from "../engine/life.ts";
import type { Random } from "../engine/random.ts";
import type { JobPlan } from "./jobs.ts";

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
};

export type Wish = "stop" | "delete" | "priority" | "pause" | "resume" | "retry";

export type PeopleNeeds = {
  readonly random: Random;
  readonly life: Life;
  /** The coordinator's farm and life, if it runs. */
  readonly coordinator: () => { readonly farm: Farm; readonly life: Life } | undefined;
  readonly note: (kind: string, what: string) => void;
  readonly delayMs: () => number;
};

/** An answer that does not come within this time is not waited for. */
const patienceMs = 30_000;

const wishes: Readonly<Record<Wish, (farm: Farm, id: number, random: Random) => Promise<unknown>>> = {
  stop: (farm, id) => stopJob(farm, id),
  delete: (farm, id) => deleteJob(farm, id),
  priority: (farm, id, random) => updateJob(farm, id, { priority: random.integer(1, 200) }),
  pause: (farm, id) => pauseJob(farm, id),
  resume: (farm, id) => resumeJob(farm, id),
  retry: (farm, id) => retryJob(farm, id, { scope: "failed", taskIds: [], replan: false }),
};

/** People and programs that send jobs, and change their mind. They repeat what was not answered. */
export const createPeople = ({ random, life, coordinator, note, delayMs }: PeopleNeeds) => {
  const sent: Sent[] = [];

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
        if (!(problem instanceof AppError)) note("broken", `${what}: ${messageOf(problem)}`);
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
    submit: async (plan: JobPlan): Promise<void> => {
      const key = `key-${sent.length}`;
      const each: Sent = { key, plan, id: undefined, asked: new Set(), done: new Set() };
      sent.push(each);
      const answered = await insist(`submit ${key}`, (farm) => submitJob(farm, plan.job, { who: "people", key }));
      if (!answered) return;
      each.id = answered.id;
      note("submitted", `${key} as ${answered.id}`);
    },
    wish: async (each: Sent, wish: Wish): Promise<void> => {
      const { id } = each;
      if (id === undefined) return;
      each.asked.add(wish);
      const answered = await insist(`${wish} ${id}`, async (farm) => {
        await wishes[wish](farm, id, random);
        return true;
      });
      if (answered) each.done.add(wish);
      note("wished", `${wish} ${id}`);
    },
  };
};
