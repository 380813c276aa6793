import { TaskError } from "../../../../causes.ts";
import type { Target } from "../../schema.ts";

/** How much faster than its source a target plays, and whether voices keep their pitch. */
export type Speed = { readonly factor: number; readonly keepsPitch: boolean };

const [slowest, fastest] = [0.05, 20];

/** Several changes of speed become one. Undefined where nothing changes. Throws TaskError `definition`. */
export const speedOf = ({ container, video, audio = [] }: Target, path: string): Speed | undefined => {
  const changes = (container?.filters ?? []).flatMap((each) => (each.kind === "speed_change" ? [each.payload] : []));
  const factor = changes.reduce((product, each) => product * numberOf(each.factor, path), 1);
  if (factor === 1) return undefined;
  if (factor < slowest || factor > fastest) {
    throw new TaskError(
      "definition",
      `${path}.container.filters: a speed of ${factor} is not between ${slowest} and ${fastest}`,
    );
  }
  if ([video, ...audio].some((track) => track?.enabled && track.codec === "copy")) {
    throw new TaskError(
      "definition",
      `${path}.container.filters: the speed of a stream that is copied cannot be changed`,
    );
  }
  return { factor, keepsPitch: changes.every(({ pitch_correction }) => pitch_correction) };
};

const numberOf = (factor: number | string, path: string): number => {
  if (typeof factor === "number") return factor;
  throw new TaskError("definition", `${path}.container.filters: speed_change.factor "${factor}" has no value here`);
};
