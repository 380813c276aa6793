import { type Profiler, Session } from "node:inspector";
import { exceptions } from "./exceptions.ts";
import { slowness } from "./pace.ts";
import { type Work, workOf } from "./profile.ts";
import { type Turn, watchTurns } from "./turns.ts";

/** Nothing that the coordinator does keeps its loop from others for longer. */
const longestMs = 50;

/** A function's first time includes loading and compiling it and what it calls: no caller could wait less. */
const longestFirstMs = 250;

/**
 * Watches this thread's loop from now on: `tell` hears of each turn of which the coordinator used more than 50 ms of
 * processor time, with the names of the functions that were at it; a function's first time may take 250 ms. Where the
 * machine is slower than usual just now, both are longer by as much. The stack is looked at every `sampledMicros`.
 * Returns how to look at the turn that just passes.
 */
export const watchLoop = (
  tell: (words: string) => void,
  isServing: (heard: string) => boolean,
  sampledMicros: number,
): (() => void) => {
  const sampler = startSampling(sampledMicros);
  slowness(); // its first time takes longer
  const slow = new Set<string>();
  let serves = false;
  const judge = (turn: Turn): void => {
    if (!serves) return;
    const work = workOf(sampler.take(), turn, slowness());
    if (work.ms <= longestMs || isExcepted(work)) return;
    const inner = work.names.at(-1) ?? "";
    const isFirst = !slow.has(inner);
    slow.add(inner);
    if (!isFirst || work.ms > longestFirstMs) tell(wordsOf(work));
  };
  return watchTurns(longestMs * 1000, judge, (heard) => {
    serves ||= isServing(heard);
  });
};

const wordsOf = ({ ms, names }: Work): string => `${Math.round(ms)} ms of its loop at once: ${names.join(" > ")}`;

const isExcepted = ({ names }: Work): boolean => exceptions.some(({ at }) => names.some((name) => name === at));

/** Samples the stack all the time; `take` gives the samples so far and begins anew. */
const startSampling = (sampledMicros: number) => {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.setSamplingInterval", { interval: sampledMicros });
  session.post("Profiler.start");
  return {
    take: (): Profiler.Profile => {
      let profile: Profiler.Profile = { nodes: [], startTime: 0, endTime: 0 };
      // On its own thread, an inspector answers at once.
      session.post("Profiler.stop", (_, answer) => {
        profile = answer.profile;
      });
      session.post("Profiler.start");
      return profile;
    },
  };
};
