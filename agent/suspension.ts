import type { Clock } from "../shared/clock.ts";

/** Work that can be made to stand still and go on: what runs, what would start, and the clock it is measured by. */
export type Suspension = {
  readonly isOn: () => boolean;
  /** False where this system has no way to stop a program for a while: nothing stands still then. */
  readonly suspend: () => boolean;
  readonly resume: () => void;
  /** A running program, until the function returned is called. */
  readonly enter: (pid: number) => () => void;
  /** The programs that run now. */
  readonly pids: () => readonly number[];
  /** Resolves when work may go on; rejects when the signal aborts. */
  readonly pass: (signal?: AbortSignal) => Promise<void>;
  /** Stands still meanwhile: what is suspended neither stalls nor runs out of time. */
  readonly clock: Clock;
};

type SuspensionNeeds = {
  readonly clock: Clock;
  /** Sends a signal to a program and all that it started. */
  readonly signal: (pid: number, signal: "SIGSTOP" | "SIGCONT") => boolean;
  readonly platform: NodeJS.Platform;
};

/** Windows knows no signal that stops a program and lets it go on; its undocumented calls are left alone. */
export const canSuspendOn = (platform: NodeJS.Platform): boolean => platform !== "win32";

export const createSuspension = ({ clock, signal, platform }: SuspensionNeeds): Suspension => {
  const pids = new Set<number>();
  const stopped = createStoppableClock(clock);
  let going = Promise.withResolvers<void>();
  let isOn = false;

  return {
    isOn: () => isOn,
    suspend: () => {
      if (!canSuspendOn(platform)) return false;
      if (isOn) return true;
      isOn = true;
      going = Promise.withResolvers();
      stopped.stop();
      for (const pid of pids) signal(pid, "SIGSTOP");
      return true;
    },
    resume: () => {
      if (!isOn) return;
      isOn = false;
      stopped.go();
      for (const pid of pids) signal(pid, "SIGCONT");
      going.resolve();
    },
    enter: (pid) => {
      pids.add(pid);
      if (isOn) signal(pid, "SIGSTOP"); // it was started in the very moment of the suspension
      return () => pids.delete(pid);
    },
    pids: () => [...pids],
    pass: async (abort) => {
      abort?.throwIfAborted();
      while (isOn) {
        await (abort ? goingOrAborted(going.promise, abort) : going.promise);
        abort?.throwIfAborted();
      }
    },
    clock: stopped.clock,
  };
};

const goingOrAborted = async (going: Promise<void>, abort: AbortSignal): Promise<void> => {
  const aborted = Promise.withResolvers<void>();
  const listen = () => aborted.resolve();
  abort.addEventListener("abort", listen);
  await Promise.race([going, aborted.promise]);
  abort.removeEventListener("abort", listen);
};

type Timer = { leftMs: number; readonly fire: () => void; cancel: () => void; setAt: number };

/** A clock whose monotonic time and timers stand still between `stop` and `go`. */
const createStoppableClock = (base: Clock) => {
  const timers = new Set<Timer>();
  let missedMs = 0;
  let stoppedAt: number | undefined;

  const arm = (timer: Timer): void => {
    timer.setAt = base.monotonic();
    timer.cancel = base.after(timer.leftMs, timer.fire);
  };

  const set = (ms: number, fire: (timer: Timer) => void): (() => void) => {
    const timer: Timer = { leftMs: ms, fire: () => fire(timer), cancel: () => {}, setAt: 0 };
    timers.add(timer);
    if (stoppedAt === undefined) arm(timer);
    return () => {
      timer.cancel();
      timers.delete(timer);
    };
  };

  const clock: Clock = {
    now: base.now,
    monotonic: () => (stoppedAt ?? base.monotonic()) - missedMs,
    after: (ms, fn) =>
      set(ms, (timer) => {
        timers.delete(timer);
        fn();
      }),
    every: (ms, fn) =>
      set(ms, (timer) => {
        timer.leftMs = ms;
        arm(timer);
        fn();
      }),
  };

  return {
    clock,
    stop: (): void => {
      const now = base.monotonic();
      stoppedAt = now;
      for (const timer of timers) {
        timer.cancel();
        timer.leftMs = Math.max(0, timer.leftMs - (now - timer.setAt));
      }
    },
    go: (): void => {
      if (stoppedAt === undefined) return;
      missedMs += base.monotonic() - stoppedAt;
      stoppedAt = undefined;
      for (const timer of timers) arm(timer);
    },
  };
};
