import type { Clock } from "../../shared/basics/clock.ts";
import type { Suspension } from "./suspension.ts";

type KillLadderNeeds = { readonly clock: Clock; readonly suspension?: Suspension };

/** Ends a program once it is begun: asks it to stop again and again, and kills it when its time is over. */
export const createKillLadder = (pid: number, graceMs: number, { clock, suspension }: KillLadderNeeds) => {
  let end: (() => void) | undefined;
  return {
    begin: () => {
      if (end) return;
      // What stands still would hear a request only when it goes on, and its owner wants the machine now.
      if (suspension?.isOn()) signalGroup(pid, "SIGKILL");
      const ask = () => signalGroup(pid, "SIGTERM");
      ask();
      const stopAsking = clock.every(askAgainMs, ask);
      const stopWaiting = clock.after(graceMs, () => signalGroup(pid, "SIGKILL"));
      end = () => {
        stopAsking();
        stopWaiting();
      };
    },
    end: () => end?.(),
  };
};

/** ffmpeg heeds the first request late, the fourth at once, and none at all if its input has no end. */
const askAgainMs = 250;

/** Signals a process and everything it started. False if none of it is left. */
export const signalGroup = (pid: number, signal: NodeJS.Signals): boolean => {
  if (pid <= 1) return false; // 0 and -1 would mean our own group and everyone
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
    return true;
  } catch {
    return false; // ESRCH: gone already, which is what was wanted
  }
};
