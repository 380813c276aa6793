import { type Gatherer, type JsonObject, numberAt, type ResponseVersion } from "./analysis.ts";
import { describeIntervals, type Interval } from "./intervals.ts";

type Detector = {
  readonly startKey: string;
  readonly endKey: string;
  /** Seconds; an interval cut off by the end of the stream counts from this length on. */
  readonly atLeast: number;
  readonly settings: JsonObject;
  readonly version: ResponseVersion;
};

/** Collects intervals from filters that mark starts and ends. The last interval may be open. */
export const gatherIntervals = ({ startKey, endKey, atLeast, settings, version }: Detector): Gatherer => {
  const intervals: Interval[] = [];
  let open: number | undefined;
  return {
    frame: (frame) => {
      const end = numberAt(frame, endKey);
      if (end !== undefined && open !== undefined) {
        intervals.push({ begin: open, end });
        open = undefined;
      }
      open = numberAt(frame, startKey) ?? open;
    },
    end: (seconds) => {
      if (open !== undefined && seconds - open >= atLeast) intervals.push({ begin: open, end: seconds });
      const kept = intervals.filter(({ begin, end }) => end - begin >= atLeast - 1e-6);
      return describeIntervals(kept, { seconds, version, settings });
    },
  };
};
