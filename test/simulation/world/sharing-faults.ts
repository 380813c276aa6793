import type { AgentMessage, Fence } from "../../../shared/protocol/messages.ts";
import type { Life } from "../engine/life.ts";
import type { Fault } from "./faults.ts";
import { makeFolderIn } from "./job-plan.ts";
import { type NetLine, usualDelayMs } from "./network.ts";
import type { Sent, Wish } from "./people.ts";
import type { Listener, World } from "./world.ts";

/** What comes of sharing: machines with their owners, and folders with whoever else uses them. */
export const sharing: readonly Fault[] = [
  {
    kind: "an owner comes back",
    lastsMs: 60_000,
    since: 3,
    begin: ({ agents, loop }, random) => {
      const owned = agents.filter(({ desk }) => desk.owner && !desk.isUsed);
      if (owned.length === 0) return undefined;
      const { desk } = random.one(owned);
      const use = (isUsed: boolean) => Object.assign(desk, { isUsed, since: loop.now() });
      use(true);
      return () => use(false);
    },
  },
  {
    kind: "a machine sees an old state of the share",
    lastsMs: 4000,
    since: 3,
    begin: (world, random) => {
      const { views } = random.one(world.agents);
      world.isViewLate = true;
      for (const view of views) view.keep();
      return () => {
        for (const view of views) view.refresh();
      };
    },
  },
  {
    kind: "folders go while they are listed",
    lastsMs: 30_000,
    since: 3,
    begin: ({ share, loop }, random) => {
      const top = share.root.names.get("in");
      const watched = top?.kind === "folder" ? [...top.names.values()].filter((each) => each.kind === "folder") : [];
      if (watched.length === 0) return undefined;
      let [count, isOver] = [0, false];
      const make = (): void => {
        if (isOver) return;
        count += 1;
        const folder = random.one(watched);
        const name = `passing-${count}`;
        const node = makeFolderIn(folder, name);
        const remove = () => {
          if (folder.names.get(name) === node) share.change([{ folder, name, node: undefined }], "people");
        };
        passing.set(node, () => loop.after(random.wait(0.1), remove));
        loop.after(random.wait(4000), remove);
        loop.after(random.wait(500), make);
      };
      const passing = new Map<unknown, () => void>();
      share.onOpened = (folder) => passing.get(folder)?.();
      make();
      return () => {
        isOver = true;
      };
    },
  },
  {
    // What the node asks or reports is slow to come, and meanwhile its task is stopped and begun anew, or its job deleted.
    kind: "somebody ends what is being published",
    lastsMs: 60_000,
    since: 4,
    begin: (world, random) => {
      const { people, network, listeners } = world;
      const fenceIn = random.one([fenceOfCommit, fenceOfReport]);
      const wishes = random.one<readonly Wish[]>([["stop", "go on"], ["stop", "go on"], ["delete"]]);
      let slow: NetLine | undefined;
      const hear: Listener = (node, message, host) => {
        const job = jobOf(world, fenceIn(message));
        if (!job) return;
        listeners.delete(hear);
        slow = network.lineOf(node, host);
        slow.up.delayMs = random.between(100, 2000);
        wishAll(people, job, wishes);
      };
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
        if (slow) slow.up.delayMs = usualDelayMs;
      };
    },
  },
  {
    // It was granted, and falls asleep before it has published, while its task is stopped and begun anew.
    kind: "somebody ends what a machine that sleeps was granted",
    lastsMs: 40_000,
    since: 8,
    begin: (world, random) => {
      const { agents, people, listeners, loop } = world;
      let isOver = false;
      let asleep: Life | undefined;
      const hear: Listener = (node, message) => {
        const fence = fenceOfCommit(message);
        const job = jobOf(world, fence);
        if (!fence || !job) return;
        listeners.delete(hear);
        const sleepOnceGranted = (left: number): void => {
          if (isOver || left === 0) return;
          if (attemptOf(world, fence)?.state !== "committing") {
            loop.after(5, () => sleepOnceGranted(left - 1));
            return;
          }
          loop.after(random.between(0, 100), () => {
            if (isOver) return;
            asleep = agents.find(({ name }) => name === node)?.life();
            asleep?.pause();
            wishAll(people, job, ["stop", "go on"]);
          });
        };
        sleepOnceGranted(400);
      };
      listeners.add(hear);
      return () => {
        isOver = true;
        listeners.delete(hear);
        asleep?.resume();
      };
    },
  },
];

const fenceOfCommit = (message: AgentMessage): Fence | undefined =>
  message.type === "commit" ? message.fence : undefined;
const fenceOfReport = (message: AgentMessage): Fence | undefined =>
  message.type === "report" ? message.report.fence : undefined;

const attemptOf = (world: World, fence: Fence | undefined) => fence && world.farm()?.values.attempts.get(fence.counter);

/** The job whose attempt it is, if people sent it. */
const jobOf = (world: World, fence: Fence | undefined): Sent | undefined => {
  const id = attemptOf(world, fence)?.job_id;
  return world.people.sent().find((each) => each.id === id && id !== undefined);
};

const wishAll = (people: World["people"], job: Sent, wishes: readonly Wish[]): void => {
  // A job that is paused when it is stopped is paused when it goes on.
  const isPaused = wishes.includes("go on") && job.asked.has("pause");
  for (const wish of isPaused ? [...wishes, "resume" as const] : wishes) void people.wish(job, wish);
};
