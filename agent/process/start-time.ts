import { readTextIfThere } from "../disk/file-system.ts";
import type { Run } from "./run.ts";

/**
 * When a process started, as text for comparison only: a process number alone may have been reused. Undefined if no
 * such process runs.
 */
export const processStart = async (pid: number, run: Run): Promise<string | undefined> => {
  if (process.platform === "linux") return linuxStart(pid);
  const [command, ...args] = process.platform === "win32" ? windowsQuestion(pid) : posixQuestion(pid);
  const { exitCode, stdout } = await run({ command, args, limitMs: 10_000 });
  return exitCode === 0 && stdout.trim() !== "" ? stdout.trim() : undefined;
};

/** Field 22: ticks since the machine started. A zombie has ended, although its number still exists. */
const linuxStart = async (pid: number): Promise<string | undefined> => {
  const stat = await readTextIfThere(`/proc/${pid}/stat`);
  const [state, ...fields] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  return state === "Z" || state === "X" ? undefined : fields[18];
};

const posixQuestion = (pid: number): [string, ...string[]] => ["ps", "-o", "lstart=", "-p", String(pid)];

const windowsQuestion = (pid: number): [string, ...string[]] => [
  "powershell",
  "-NoProfile",
  "-Command",
  `(Get-Process -Id ${pid} -ErrorAction Stop).StartTime.ToFileTimeUtc()`,
];
