import { type Gatherer, type JsonObject, numberAt, type ResponseVersion } from "./analysis.ts";
import { describeIntervals, type Interval } from "./events.ts";

type Detector = {
  readonly startKey: string;
  readonly endKey: string;
  /** Seconds; an interval that the stream's end cuts off counts from this length on. */
  readonly atLeast: number;
  readonly settings: JsonObject;
  readonly version: ResponseVersion;
};

/** Gathers intervals from filters that note where one starts, and where it ends. The last may be open at the end. */
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
