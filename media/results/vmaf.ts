import type { ResultParser } from "../../shared/model/step-result.ts";
import { vmafModel } from "../analyses/comparison.ts";
import { createSeries } from "../analyses/series.ts";
import { createStatistics } from "../analyses/statistics.ts";
import { placed } from "./analysis.ts";

/** libvmaf's CSV log: a line of names, then one a frame. Options: the frame rate, for the seconds of a frame. */
export const vmafParser: ResultParser = {
  kind: "analysis",
  begin: (options) => {
    const rate = typeof options === "number" && options > 0 ? options : 25;
    const statistics = createStatistics();
    const chart = createSeries("VMAF", "");
    let columns: { frame: number; score: number } | undefined;
    return {
      line: (text) => {
        const cells = text.split(",").map((cell) => cell.trim());
        if (!columns) {
          columns = { frame: cells.indexOf("Frame"), score: cells.indexOf("vmaf") };
          return;
        }
        const [number, score] = [Number(cells[columns.frame]), Number(cells[columns.score])];
        if (!Number.isFinite(score) || !Number.isInteger(number)) return;
        statistics.add(score, { number, seconds: number / rate });
        chart.add(score, number / rate);
      },
      end: () => {
        if (statistics.count() === 0) throw new Error("libvmaf logged no frame");
        const figures = { ...statistics.figures(), ...chart.figures() };
        return placed("video", { vmaf: { model: vmafModel, frames: statistics.count(), ...figures } });
      },
    };
  },
};
