import { type AgentMessage, type CoordinatorMessage, type Fence, fenceKey } from "../../../shared/protocol/messages.ts";
import type { Invariant } from "./invariant.ts";

type Granted = { readonly fence: string; readonly node: string; isOver: boolean };
type Message = AgentMessage | CoordinatorMessage;

export const attempts: readonly Invariant[] = [
  {
    name: "one grant",
    says: "A task whose granted attempt may still act gets no second grant before its node has heard that it is over, was silent for the time that is set, returned without it, or another node saw its files.",
    check: ({ now, commitWaitMs }) => {
      const book = createBook(now);
      return {
        said: (node, message) => {
          if (message.type !== "granted") {
            book.read(node, message);
            return [];
          }
          const fence = fenceKey(message.fence);
          const task = book.taskOf(fence);
          if (task === undefined) return [`${fence} is granted, and was never assigned`];
          const before = book.grant(task, fence, node);
          if (!before || before.fence === fence || before.isOver) return [];
          return book.silentMs(before.node) >= commitWaitMs
            ? []
            : [`task ${task}: ${fence} is granted to ${node}, and ${before.fence} on ${before.node} may still act`];
        },
        heardFrom: (node) => {
          book.hearFrom(node);
          return [];
        },
        heard: (_node, message) => {
          if (message.type === "stale" || message.type === "cancel") book.end(message.fence);
          return [];
        },
      };
    },
  },
];

/** What a node says that it still has, or is told to keep; undefined where a message says nothing of it. */
const stillThere = (message: Message): ReadonlySet<string> | undefined => {
  if (message.type === "hello") return new Set(message.attempts.map(({ fence }) => fenceKey(fence)));
  if (message.type === "welcome") return new Set(message.keep.map(fenceKey));
  return message.type === "goodbye" ? new Set() : undefined;
};

/** Who holds which grant, and what the coordinator can know of its end. */
const createBook = (now: () => number) => {
  const tasks = new Map<string, number>();
  const granted = new Map<number, Granted>();
  const heard = new Map<string, number>();
  const end = (fence: Fence): void => {
    const found = granted.get(tasks.get(fenceKey(fence)) ?? -1);
    if (found?.fence === fenceKey(fence)) found.isOver = true;
  };
  const ends = (message: Message): readonly Fence[] => {
    if (message.type === "returned") return [message.fence];
    if (message.type === "report") return [message.report.fence];
    return message.type === "inspected" && message.seen !== "absent" ? [message.fence] : [];
  };
  return {
    end,
    taskOf: (fence: string): number | undefined => tasks.get(fence),
    silentMs: (node: string): number => now() - (heard.get(node) ?? 0),
    grant: (task: number, fence: string, node: string): Granted | undefined => {
      const before = granted.get(task);
      granted.set(task, { fence, node, isOver: false });
      return before;
    },
    hearFrom: (node: string): void => {
      heard.set(node, now());
    },
    read: (node: string, message: Message): void => {
      if (message.type === "assign") tasks.set(fenceKey(message.assignment.fence), message.assignment.taskId);
      for (const fence of ends(message)) end(fence);
      const still = stillThere(message);
      if (!still) return;
      for (const each of granted.values()) if (each.node === node && !still.has(each.fence)) each.isOver = true;
    },
  };
};
