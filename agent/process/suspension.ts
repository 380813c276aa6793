import type { Clock } from "../../shared/basics/clock.ts";

/** Work that can be suspended and resumed: running programs, new starts, and the clock they are measured by. */
export type Suspension = {
  readonly isOn: () => boolean;
  /** False if this system cannot suspend a program: then nothing is suspended. */
  readonly suspend: () => boolean;
  readonly resume: () => void;
  /** Registers a running program until the returned function is called. */
  readonly enter: (pid: number) => () => void;
  /** The running programs. */
  readonly pids: () => readonly number[];
  /** Resolves when work may continue; rejects when the signal aborts. */
  readonly pass: (signal?: AbortSignal) => Promise<void>;
  /** Stops during suspension, so suspended work neither stalls nor runs out of time. */
  readonly clock: Clock;
};

type SuspensionNeeds = {
  readonly clock: Clock;
  /** Sends a signal to a program and all its children. */
  readonly signal: (pid: number, signal: "SIGSTOP" | "SIGCONT") => boolean;
  readonly platform: NodeJS.Platform;
};

/** Windows has no signal to suspend and resume a program, and we do not use its undocumented calls. */
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
      if (isOn) signal(pid, "SIGSTOP"); // it was started at the very moment of the suspension
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

/** A clock whose monotonic time and timers stop between `stop` and `go`. */
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
