import { type JsonObject, rounded } from "./analysis.ts";

/** This many points make a readable chart; more are averaged. */
const mostPoints = 240;

/** Values over time in bounded memory: when there are too many, neighbours are averaged in pairs. */
export const createSeries = (title: string, unit: string) => {
  let values: number[] = [];
  let [perPoint, sum, count, last, frames] = [1, 0, 0, 0, 0];
  const halve = (): void => {
    values = Array.from(
      { length: values.length / 2 },
      (_, at) => ((values[2 * at] ?? 0) + (values[2 * at + 1] ?? 0)) / 2,
    );
    perPoint *= 2;
  };
  return {
    add: (value: number, seconds: number): void => {
      if (!Number.isFinite(value)) return;
      [sum, count, last, frames] = [sum + value, count + 1, seconds, frames + 1];
      if (count < perPoint) return;
      values.push(sum / count);
      [sum, count] = [0, 0];
      if (values.length >= 2 * mostPoints) halve();
    },
    figures: (): JsonObject => {
      if (values.length < 2) return {};
      const step = (last / Math.max(1, frames - 1)) * perPoint;
      return { chart: { title, unit, step_sec: rounded(step), values: values.map((value) => rounded(value, 3)) } };
    },
  };
};
