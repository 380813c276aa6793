import type { ComputerState } from "../../shared/desktop/ipc.ts";
import type { LendingReport } from "../../shared/lending/lending.ts";
import type { EnrolledState } from "../../shared/state/node.ts";
import { appLanguageOf, type Say, sayIn } from "../language/say.ts";
import type { AppText } from "../language/texts.ts";
import type { ServiceState } from "../services/service.ts";

/** Everything that determines how this computer's state is worded. */
export type Facts = {
  readonly mode: "none" | "farm" | "node";
  readonly coordinator: ServiceState;
  readonly agent: ServiceState;
  readonly problem: string | undefined;
  /** The agent's lending report. */
  readonly report: LendingReport | undefined;
  /** The farm's view of this node, in farm mode. */
  readonly node: { readonly state: EnrolledState; readonly running: number } | undefined;
  readonly isReachable: boolean;
  readonly isConnected: boolean;
  readonly farmUrl: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The language in which it is worded, such as de-AT. */
  readonly locale: string;
};

/** The first matching rule decides. */
export const computerState = (facts: Facts): ComputerState =>
  rules.find(([, holds]) => holds(facts))?.[0] ?? facts.report?.standing.state ?? "lending";

const rules: readonly (readonly [ComputerState, (facts: Facts) => boolean])[] = [
  ["new", ({ mode }) => mode === "none"],
  ["failed", ({ coordinator, agent, problem }) => problem !== undefined && [coordinator, agent].includes("waiting")],
  ["starting", ({ mode, coordinator }) => mode === "farm" && coordinator !== "running"],
  ["unreachable", ({ isReachable }) => !isReachable],
  ["starting", ({ isConnected, agent }) => !isConnected || agent !== "running"],
  // An operator's pause is mentioned only if the owner would lend.
  ["paused", ({ node, report }) => node !== undefined && node.state !== "active" && report?.standing.takes !== false],
];

/** The state in a few words: the tray's first line and the page's headline. */
export const stateTitle = (facts: Facts): string => {
  const say = sayIn(facts.locale);
  const state = computerState(facts);
  const running = countRunning(facts);
  if (state === "lending") return say(lendingText(running), { count: running });
  if (state === "program" && isEnglish(facts)) return facts.report?.standing.why ?? titles.program;
  if (state !== "soon") return say(titles[state]);
  const { until } = facts.report?.standing ?? {};
  const seconds = Math.max(0, Math.round(((until ?? facts.now) - facts.now) / 1000));
  return until ? say("Lending starts in {seconds} s", { seconds }) : say("Lending starts soon");
};

const lendingText = (running: number): AppText => {
  if (running === 0) return "Lending, no tasks now";
  return running === 1 ? "Lending, 1 task" : "Lending, {count} tasks";
};

/** The agent's own words are English, and say more. */
const isEnglish = ({ locale }: Facts): boolean => appLanguageOf(locale) === "en";

const titles: Readonly<Record<Exclude<ComputerState, "lending" | "soon">, AppText>> = {
  new: "Not part of a farm yet",
  starting: "Starting",
  unreachable: "Coordinator unreachable",
  failed: "Not running",
  paused: "Paused by an operator",
  inUse: "In use by you",
  busy: "Other programs are busy",
  outOfHours: "Outside your hours",
  stopped: "Lending is stopped",
  never: "This computer does not lend",
  fullScreen: "A program fills the screen",
  program: "A program of yours is running",
  battery: "On battery",
  diskLow: "Paused itself: the disk is nearly full",
  asleep: "Asleep",
};

/** Why, and what happens next. */
export const describeState = (facts: Facts): string => {
  const { mode, problem = "", farmUrl } = facts;
  const say = sayIn(facts.locale);
  const host = readHost(farmUrl, say("the farm"));
  switch (computerState(facts)) {
    case "new":
      return say("Start a farm here, or join one.");
    case "failed":
      return say("{problem}. It restarts automatically.", { problem });
    case "starting":
      return mode === "farm" ? say("The farm is starting.") : say("Connecting to the farm at {host}.", { host });
    case "unreachable":
      return `${say("No coordinator answers at {host}.", { host })} ${afterwards(countRunning(facts), say)}`;
    case "paused":
      return say("Running tasks finish, and no new ones start.");
    case "lending":
      return say("Tasks run at low priority.");
    case "soon":
      return say("Nobody has used this computer for a while.");
    default:
      return isEnglish(facts) ? `${facts.report?.standing.why ?? ""}. ${fateOf(facts)}`.trim() : fateOf(facts);
  }
};

const afterwards = (count: number, say: Say): string => {
  if (count === 0) return say("This computer reconnects automatically.");
  return count === 1
    ? say("1 task continues. Results are kept here and reported later.")
    : say("{count} tasks continue. Results are kept here and reported later.", { count });
};

/** What happens to the tasks on this computer. */
const fateOf = (facts: Facts): string => {
  const say = sayIn(facts.locale);
  const count = countRunning(facts);
  if (count === 0) return say("Nothing runs here.");
  if (facts.report?.standing.isSuspended) {
    const suspended = count === 1 ? say("1 task is suspended") : say("{count} tasks are suspended", { count });
    return `${suspended}${holdOf(facts.report, say)}.`;
  }
  return count === 1
    ? say("1 task finishes, and no new ones start.")
    : say("{count} tasks finish, and no new ones start.", { count });
};

/** What a hold costs, and when it ends. */
const holdOf = ({ held }: LendingReport, say: Say): string => {
  if (held === null) return "";
  const { memory, until } = held;
  const cost = memory === null ? "" : say(" and keeps {size} GB of memory", { size: (memory / 1e9).toFixed(1) });
  return cost + (until === null ? "" : say(" until {time}, then given back", { time: timeOfDay(until) }));
};

const timeOfDay = (at: number): string =>
  new Date(at).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });

export const readHost = (farmUrl: string | undefined, unknown = "the farm"): string =>
  farmUrl ? new URL(farmUrl).host : unknown;

export const countRunning = ({ report, node }: Facts): number => report?.running.length ?? node?.running ?? 0;
