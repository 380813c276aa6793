import { type Fence, fenceKey } from "../../../shared/protocol/messages.ts";
import type { Invariant } from "./invariant.ts";

type Granted = { readonly fence: string; readonly node: string; readonly at: number; isOver: boolean };

export const attempts: readonly Invariant[] = [
  {
    name: "one grant",
    says: "A task whose granted attempt may still act gets no second grant before its node was silent for the time that is set, returned without it, or another node saw its files.",
    check: ({ now, commitWaitMs }) => {
      const tasks = new Map<string, number>();
      const granted = new Map<number, Granted>();
      const heard = new Map<string, number>();
      const end = (fence: Fence): void => {
        const found = granted.get(tasks.get(fenceKey(fence)) ?? -1);
        if (found?.fence === fenceKey(fence)) found.isOver = true;
      };
      return {
        said: (node, message) => {
          if (message.type === "assign") tasks.set(fenceKey(message.assignment.fence), message.assignment.taskId);
          if (message.type === "stale" || message.type === "returned") end(message.fence);
          if (message.type === "report") end(message.report.fence);
          if (message.type === "inspected" && message.seen !== "absent") end(message.fence);
          if (message.type === "hello" || message.type === "goodbye")
            for (const each of granted.values()) if (each.node === node) each.isOver = true;
          if (message.type !== "granted") {
            heard.set(node, now());
            return [];
          }
          const fence = fenceKey(message.fence);
          const task = tasks.get(fence);
          if (task === undefined) return [`${fence} is granted, and was never assigned`];
          const before = granted.get(task);
          granted.set(task, { fence, node, at: now(), isOver: false });
          if (!before || before.fence === fence || before.isOver) return [];
          const silentMs = now() - (heard.get(before.node) ?? 0);
          return silentMs >= commitWaitMs
            ? []
            : [`task ${task}: ${fence} is granted to ${node}, and ${before.fence} on ${before.node} may still act`];
        },
      };
    },
  },
];
