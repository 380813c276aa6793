import type { Clock } from "../shared/clock.ts";
import type { Desktop, ServiceName, ServiceProcess } from "./desktop.ts";
import { type Told, told } from "./service-messages.ts";

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
  readonly onTold: (message: Told) => void;
  readonly onChange: () => void;
};

/** One child process, kept alive until it is told to stop. */
export const superviseService = ({ name, desktop, clock, onTold, onChange }: Needs): Service => {
  let state: ServiceState = "stopped";
  let problem: string | undefined;
  let first: object | undefined;
  let child: ServiceProcess | undefined;
  let pauseMs = firstPauseMs;
  let cancelRestart = () => {};
  const whenGone: (() => void)[] = [];

  const become = (next: ServiceState): void => {
    state = next;
    onChange();
  };

  const launch = (): void => {
    const begun = clock.monotonic();
    child = desktop.startService(name, {
      onMessage: (message) => hear(message),
      onExit: (status) => bury(status, begun),
    });
    child.post(first);
    become("starting");
  };

  const hear = (message: unknown): void => {
    const parsed = told.safeParse(message);
    if (!parsed.success) return; // a service of another version may say more than this app knows
    if (parsed.data.type === "failed") {
      problem = parsed.data.words;
      return;
    }
    problem = undefined;
    // An agent reports lending before it is connected.
    if (parsed.data.type === "ready" || parsed.data.type === "connected") state = "running";
    onTold(parsed.data);
    onChange();
  };

  const bury = (status: number | null, begun: number): void => {
    child = undefined;
    if (whenGone.length > 0) {
      become("stopped");
      for (const resolve of whenGone.splice(0)) resolve();
      if (first !== undefined) launch(); // somebody started it again meanwhile
      return;
    }
    if (state === "running") problem = `The ${name} ended unexpectedly (status ${status})`;
    problem ??= `The ${name} could not start (status ${status})`;
    if (clock.monotonic() - begun >= wellAfterMs) pauseMs = firstPauseMs;
    cancelRestart = clock.after(pauseMs, launch);
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
    become("waiting");
  };

  const end = async (): Promise<void> => {
    first = undefined;
    cancelRestart();
    pauseMs = firstPauseMs;
    problem = undefined;
    if (!child) return become("stopped");
    const leaving = child;
    const gone = new Promise<void>((resolve) => whenGone.push(resolve));
    leaving.post({ type: "stop" });
    const forget = clock.after(endPatienceMs, () => leaving.kill());
    await gone;
    forget();
  };

  return {
    state: () => state,
    problem: () => problem,
    start: (message) => {
      if (first !== undefined) return;
      first = message;
      if (!child) launch(); // two at once would share a data folder
    },
    tell: (message) => child?.post(message),
    stop: end,
  };
};
