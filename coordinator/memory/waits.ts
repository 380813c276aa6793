import type { Awaited, Watched } from "../../shared/waiting.ts";
import type { FolderFile } from "../../shared/watching.ts";
import type { OpenTask } from "../schedule/open-task.ts";

export type WaitingTask = OpenTask & { readonly awaits: Awaited };

/** A look requested from a node. */
export type Asked = { readonly look: number; readonly nodeId: number; readonly at: number };

/** One waiting task, and what its looks saw so far. All times are the farm's. */
export type Wait = {
  task: WaitingTask;
  /** When to look again. */
  next: number;
  asked: Asked | undefined;
  /** The last look that was answered. */
  looked: { readonly nodeId: number; readonly at: number } | undefined;
  /** What the last look saw: each source by asset, each new file of a folder by address. */
  watched: ReadonlyMap<string, Watched>;
  /** For a watched folder: the parts of this look so far, and what is being done with them. */
  listed: FolderFile[];
  /** Under which what a watch took is remembered, once it was looked at. */
  name?: string;
  /** Why it is still waited for. */
  why: string;
};

export type Waits = ReturnType<typeof createWaits>;

/** Tasks that wait for something outside the farm, in memory alone: after a restart the next look is at once. */
export const createWaits = () => {
  const waits = new Map<number, Wait>();
  const asked = new Map<number, Wait>();
  let looks = 0;

  const settle = (wait: Wait): void => {
    if (wait.asked) asked.delete(wait.asked.look);
    wait.asked = undefined;
  };

  return {
    /** A task that already waits keeps its wait. */
    add: (task: OpenTask): void => {
      const { awaits } = task;
      if (!awaits) return;
      const known = waits.get(task.id);
      if (known) known.task = { ...task, awaits };
      else waits.set(task.id, newWait({ ...task, awaits }));
    },
    remove: (taskId: number): void => {
      const wait = waits.get(taskId);
      if (!wait) return;
      settle(wait);
      waits.delete(taskId);
    },
    get: (taskId: number): Wait | undefined => waits.get(taskId),
    all: (): Iterable<Wait> => waits.values(),
    size: (): number => waits.size,
    /** Numbers a look that is requested from a node. */
    ask: (wait: Wait, nodeId: number, at: number): number => {
      settle(wait);
      looks += 1;
      wait.listed = [];
      wait.asked = { look: looks, nodeId, at };
      asked.set(looks, wait);
      return looks;
    },
    /** The wait that this answer is for; undefined if nobody waits for it any more. */
    answered: (
      look: number,
      nodeId: number,
      { at, isLast }: { readonly at: number; readonly isLast: boolean },
    ): Wait | undefined => {
      const wait = asked.get(look);
      if (wait?.asked?.nodeId !== nodeId) return undefined;
      wait.asked = { ...wait.asked, at };
      if (isLast) settle(wait);
      wait.looked = { nodeId, at };
      return wait;
    },
    /** Looks that this node has not answered yet. */
    askedOf: (nodeId: number): number => {
      let count = 0;
      for (const wait of asked.values()) if (wait.asked?.nodeId === nodeId) count += 1;
      return count;
    },
    /** Stops waiting for the look. */
    settle,
  };
};

const newWait = (task: WaitingTask): Wait => ({
  task,
  next: task.readyTime,
  asked: undefined,
  looked: undefined,
  watched: new Map(),
  listed: [],
  why: "nobody has looked yet",
});
