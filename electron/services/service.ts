import type { Clock } from "../../shared/basics/clock.ts";
import type { Desktop, ServiceName, ServiceProcess } from "../desktop/desktop.ts";
import { type ServiceMessage, serviceMessage } from "./service-messages.ts";

/** A service that dies is restarted after a delay that doubles each time, so that a broken one costs nothing. */
export const firstPauseMs = 1000;
export const longestPauseMs = 60_000;
/** A service that ran this long was healthy: after its next death the delay starts over. */
export const wellAfterMs = 60_000;
/** How long a service may take to end by itself: an agent ends its tools and sends its reports. */
export const endPatienceMs = 15_000;

export type ServiceState = "stopped" | "starting" | "running" | "waiting";

export type Service = {
  readonly state: () => ServiceState;
  /** Why it could not start or go on, in its own words; undefined once it runs. */
  readonly problem: () => string | undefined;
  /** Starts it with a first message; does nothing if it is running. */
  readonly start: (first: object) => void;
  /** Sends it another message; dropped if it is not running. */
  readonly tell: (message: object) => void;
  /** Asks it to end, kills it if it does not, and resolves when it is gone. */
  readonly stop: () => Promise<void>;
};

type Needs = {
  readonly name: ServiceName;
  readonly desktop: Pick<Desktop, "startService">;
  readonly clock: Clock;
  readonly onTold: (message: ServiceMessage) => void;
  readonly onChange: () => void;
};

/** One child process, kept alive until it is told to stop. */
export const superviseService = ({ name, desktop, clock, onTold, onChange }: Needs): Service => {
  const standing = createStanding(name, onChange);
  const backOff = createBackOff(clock);
  const whenGone: (() => void)[] = [];
  let first: object | undefined;
  let child: ServiceProcess | undefined;

  const launch = (): void => {
    const begun = clock.monotonic();
    child = desktop.startService(name, {
      onMessage: (message) => {
        const parsed = serviceMessage.safeParse(message);
        // A service of another version may say more than this app knows.
        if (!parsed.success || !standing.hear(parsed.data)) return;
        onTold(parsed.data);
        onChange();
      },
      onExit: (status) => bury(status, begun),
    });
    child.post(first);
    standing.become("starting");
  };

  const bury = (status: number | null, begun: number): void => {
    child = undefined;
    if (whenGone.length > 0) {
      standing.become("stopped");
      for (const resolve of whenGone.splice(0)) resolve();
      if (first !== undefined) launch(); // somebody started it again meanwhile
      return;
    }
    if (clock.monotonic() - begun >= wellAfterMs) backOff.reset();
    backOff.later(launch);
    standing.end(status);
  };

  const stop = async (): Promise<void> => {
    first = undefined;
    backOff.reset();
    standing.forget();
    if (!child) return standing.become("stopped");
    const gone = new Promise<void>((resolve) => whenGone.push(resolve));
    await endOf(child, gone, clock);
  };

  return {
    state: standing.state,
    problem: standing.problem,
    start: (message) => {
      if (first !== undefined) return;
      first = message;
      if (!child) launch(); // two at once would share a data folder
    },
    tell: (message) => child?.post(message),
    stop,
  };
};

/** Whether the service runs, and what is wrong if it does not. */
const createStanding = (name: ServiceName, onChange: () => void) => {
  let state: ServiceState = "stopped";
  let problem: string | undefined;
  const become = (next: ServiceState): void => {
    state = next;
    onChange();
  };
  return {
    state: () => state,
    problem: () => problem,
    become,
    /** False for a service's last words, which nobody else needs. */
    hear: (message: ServiceMessage): boolean => {
      problem = message.type === "failed" ? message.words : undefined;
      // An agent reports lending before it is connected.
      if (message.type === "ready" || message.type === "connected") state = "running";
      return message.type !== "failed";
    },
    /** It ended without being asked to, and starts again later. */
    end: (status: number | null): void => {
      if (state === "running") problem = `The ${name} ended unexpectedly (status ${status})`;
      problem ??= `The ${name} could not start (status ${status})`;
      become("waiting");
    },
    forget: (): void => {
      problem = undefined;
    },
  };
};

/** Asks the process to end, and kills it if it takes too long. */
const endOf = async (child: ServiceProcess, gone: Promise<void>, clock: Clock): Promise<void> => {
  child.post({ type: "stop" });
  const forget = clock.after(endPatienceMs, () => child.kill());
  await gone;
  forget();
};

/** Runs something after a pause that doubles each time. */
const createBackOff = (clock: Clock) => {
  let pauseMs = firstPauseMs;
  let cancel = () => {};
  return {
    later: (run: () => void): void => {
      cancel = clock.after(pauseMs, run);
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    },
    /** Whatever waits is dropped, and the next pause is the shortest. */
    reset: (): void => {
      cancel();
      pauseMs = firstPauseMs;
    },
  };
};
