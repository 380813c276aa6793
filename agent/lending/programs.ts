import { readdir, readFile } from "node:fs/promises";
import type { Run } from "../process/run.ts";

/** What a machine's running programs are called, without those of the farm. Undefined if unknown. */
export const queryPrograms = async (
  run: Run,
  platform: NodeJS.Platform,
  farmPids: () => readonly number[],
): Promise<readonly string[] | undefined> => {
  const own = new Set([process.pid, process.ppid, ...farmPids()]);
  const others = (programs: readonly Program[]) => [
    ...new Set(programs.filter(({ pid }) => !own.has(pid)).map(({ name }) => name)),
  ];
  if (platform === "linux") return others(await programsInProc());
  const question =
    platform === "win32"
      ? { command: "tasklist", args: ["/FO", "CSV", "/NH"], parse: parseTasklist }
      : { command: "ps", args: ["-axo", "pid=,comm="], parse: parsePs };
  const { exitCode, stdout } = await run({ command: question.command, args: question.args, env: {}, limitMs: 5000 });
  return exitCode === 0 ? others(question.parse(stdout)) : undefined;
};

type Program = { readonly pid: number; readonly name: string };

/** The name of the file that was started: the kernel's own name of a program is cut to 15 characters. */
const programsInProc = async (): Promise<Program[]> => {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => ""); // it ended meanwhile
      const [file = ""] = line.split("\0");
      return { pid: Number(pid), name: baseName(file) };
    }),
  );
  return found.filter(({ name }) => name !== ""); // threads of the kernel have none
};

/** `  412 /Applications/DaVinci Resolve/DaVinci Resolve.app/Contents/MacOS/Resolve` */
export const parsePs = (text: string): Program[] =>
  text.split("\n").flatMap((line) => {
    const [, pid, path = ""] = /^\s*(\d+)\s+(.+?)\s*$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), name: baseName(path) }];
  });

/** `"Nuke15.1.exe","4312","Console","1","1,234,567 K"` */
export const parseTasklist = (text: string): Program[] =>
  text.split(/\r?\n/).flatMap((line) => {
    const [, name, pid] = /^"([^"]+)","(\d+)"/.exec(line) ?? [];
    return name === undefined ? [] : [{ pid: Number(pid), name: baseName(name) }];
  });

const baseName = (path: string): string => (path.split(/[/\\]/).at(-1) ?? "").trim();

/**
 * The first of the wanted programs that runs, as it was wanted. `Nuke` is also `Nuke15.1v2`, `nuke.exe` and `nuke-license`,
 * and not `nukestudio`: a name counts where no letter stands before or behind it.
 */
export const programAmong = (wanted: readonly string[], running: readonly string[]): string | undefined =>
  wanted.find((name) => {
    const words = name.trim().replace(/\.(exe|app|bin)$/i, "");
    if (words === "") return false;
    const pattern = new RegExp(`(?<!\\p{L})${words.replaceAll(/[^\p{L}\p{N}\s]/gu, "\\$&")}(?!\\p{L})`, "iu");
    return running.some((each) => pattern.test(each));
  });
