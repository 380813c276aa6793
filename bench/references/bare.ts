import { spawn } from "node:child_process";
import { once } from "node:events";
import { readConfig } from "../../agent/config.ts";
import { ffprobeEnv } from "../../agent/tools/find-tools.ts";
import { childrenCpuMs } from "../farms/cpu.ts";

type BareRun = { readonly wall: number; readonly cpu: number };

/**
 * Runs commands by `xargs`, so many at a time and in this order, as an agent would start them: at the same priority and in
 * the same environment, but with nobody who looks after them. Gives the milliseconds they took, by the clock and of the
 * processor; throws where one failed.
 */
export const runByXargs = async (commands: readonly (readonly string[])[], atATime: number): Promise<BareRun> => {
  const [program = ""] = commands[0] ?? [];
  const lines = commands.map(([, ...words]) => words.map(quoted).join(" ")).join("\n");
  const argv = ["-n", "10", "xargs", "-P", String(atATime), "-L", "1", "-s", "120000", program];
  const before = childrenCpuMs();
  const begun = performance.now();
  const child = spawn("nice", argv, { env, stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    said = (said + text).slice(-mostKept);
  });
  child.stdin.end(`${lines}\n`);
  const [status] = await once(child, "close");
  if (status !== 0) throw new Error(`xargs ended with status ${status}: ${faultsIn(said)}`);
  return { wall: performance.now() - begun, cpu: childrenCpuMs() - before };
};

/** Characters of what all programs said. */
const mostKept = 1e6;

/** Without what ffmpeg tells about its work when all is well. */
const faultsIn = (said: string): string =>
  said
    .split("\n")
    .filter((line) => !/\[info\]|^\s/.test(line))
    .join("\n")
    .slice(-2000);

const env = { ...readConfig({}).childEnv, ...ffprobeEnv };

/** As xargs reads words: nothing has a meaning within single quotes, and they cannot hold one. */
const quoted = (word: string): string => `'${word.replaceAll("'", `'"'"'`)}'`;
