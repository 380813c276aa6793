import type { AgentMessage, Fence } from "../../../shared/protocol/messages.ts";
import type { Fault } from "./faults.ts";
import { makeFolderIn } from "./job-plan.ts";
import { type NetLine, usualDelayMs } from "./network.ts";
import type { Wish } from "./people.ts";
import type { Listener } from "./world.ts";

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
        const fence = fenceIn(message);
        const id = fence && world.farm()?.values.attempts.get(fence.counter)?.job_id;
        const job = people.sent().find((each) => each.id === id && id !== undefined);
        if (!job) return;
        listeners.delete(hear);
        slow = network.lineOf(node, host);
        slow.up.delayMs = random.between(100, 2000);
        // A job that is paused when it is stopped is paused when it goes on.
        const isPaused = wishes.includes("go on") && job.asked.has("pause");
        for (const wish of isPaused ? [...wishes, "resume" as const] : wishes) void people.wish(job, wish);
      };
      listeners.add(hear);
      return () => {
        listeners.delete(hear);
        if (slow) slow.up.delayMs = usualDelayMs;
      };
    },
  },
];

const fenceOfCommit = (message: AgentMessage): Fence | undefined =>
  message.type === "commit" ? message.fence : undefined;
const fenceOfReport = (message: AgentMessage): Fence | undefined =>
  message.type === "report" ? message.report.fence : undefined;
