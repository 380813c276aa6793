import { readdirSync, readFileSync } from "node:fs";

/** Pids of all that a process started, and of what that started. Linux only. */
export const descendantsOf = (pid: number): number[] => {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc")) if (/^\d+$/.test(name)) parents.set(Number(name), parentOf(name));
  const found: number[] = [];
  for (const open = [pid]; open.length > 0; ) {
    const parent = open.pop();
    const children = [...parents].filter(([, each]) => each === parent).map(([child]) => child);
    found.push(...children);
    open.push(...children);
  }
  return found;
};

/** The fourth field; the second, a name in brackets, may hold anything. */
const parentOf = (pid: string): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch {
    return 0; // it has just ended
  }
};
