import type { SeenFileSystem } from "../../shared/files/folder-identity.ts";
import type { FolderFile } from "../../shared/work/folder-watch.ts";
import type { Awaited, Watched } from "../../shared/work/polling.ts";
import type { OpenTask } from "./open-task.ts";

export type WaitingTask = OpenTask & { readonly awaits: Awaited };

/** A check requested from a node. */
export type PollRequest = { readonly look: number; readonly nodeId: number; readonly at: number };

/** A waiting task and the results of its checks so far. Times are the farm's. */
export type Poll = {
  task: WaitingTask;
  /** When the next check is due. */
  next: number;
  request: PollRequest | undefined;
  /** The last check that was answered. */
  lastAnswer: { readonly nodeId: number; readonly at: number } | undefined;
  /** The result of the last check: each source by asset, each new file of a folder by address. */
  watched: ReadonlyMap<string, Watched>;
  /** For a watched folder: the files of the current check so far. */
  listed: FolderFile[];
  /** The name under which the files of a watch are remembered; set at the first check. */
  name?: string;
  /** For a watched folder: what its files were last seen on. */
  seenOn?: SeenFileSystem | undefined;
  /** The last check failed, or another node may see more of the folder. */
  isDoubtful?: boolean;
  /** The node that said last that the task can never start: one alone does not end it where another can look too. */
  refusedBy?: number | undefined;
  /** Why the task still waits. */
  why: string;
};

export type Polls = ReturnType<typeof createPolls>;

/** Tasks that wait for something outside the farm. Only in memory: after a restart the next check is at once. */
export const createPolls = () => {
  const waits = new Map<number, Poll>();
  const asked = new Map<number, Poll>();
  let looks = 0;

  const settle = (wait: Poll): void => {
    if (wait.request) asked.delete(wait.request.look);
    wait.request = undefined;
  };

  return {
    /** A task that already waits keeps its wait. */
    add: (task: OpenTask): void => {
      const { awaits } = task;
      if (!awaits) return;
      const known = waits.get(task.id);
      if (known) known.task = { ...task, awaits };
      else waits.set(task.id, newPoll({ ...task, awaits }));
    },
    remove: (taskId: number): void => {
      const wait = waits.get(taskId);
      if (!wait) return;
      settle(wait);
      waits.delete(taskId);
    },
    get: (taskId: number): Poll | undefined => waits.get(taskId),
    all: (): Iterable<Poll> => waits.values(),
    size: (): number => waits.size,
    /** Numbers a check that is requested from a node. */
    ask: (wait: Poll, nodeId: number, at: number): number => {
      settle(wait);
      looks += 1;
      wait.listed = [];
      wait.request = { look: looks, nodeId, at };
      asked.set(looks, wait);
      return looks;
    },
    /** The wait that an answer belongs to; undefined if the task no longer waits for it. */
    answered: (
      look: number,
      nodeId: number,
      { at, isLast }: { readonly at: number; readonly isLast: boolean },
    ): Poll | undefined => {
      const wait = asked.get(look);
      if (wait?.request?.nodeId !== nodeId) return undefined;
      wait.request = { ...wait.request, at };
      if (isLast) settle(wait);
      wait.lastAnswer = { nodeId, at };
      return wait;
    },
    /** Whether a check was requested from another node, or from nobody yet. */
    isForeign: (nodeId: number, look: number): boolean => {
      const wait = asked.get(look);
      return wait ? wait.request?.nodeId !== nodeId : look > looks || look < 1;
    },
    /** The number of checks that this node has not answered. */
    askedOf: (nodeId: number): number => {
      let count = 0;
      for (const wait of asked.values()) if (wait.request?.nodeId === nodeId) count += 1;
      return count;
    },
    /** Stops waiting for the answer of a check. */
    settle,
  };
};

const newPoll = (task: WaitingTask): Poll => ({
  task,
  next: task.readyTime,
  request: undefined,
  lastAnswer: undefined,
  watched: new Map(),
  listed: [],
  why: "nobody has looked yet",
});
