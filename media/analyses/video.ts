import type { Filter } from "../ffmpeg/filtergraph.ts";
import { type Analysis, type Gatherer, type JsonObject, numberAt, rounded } from "./analysis.ts";
import { gatherIntervals } from "./detected-intervals.ts";
import { createSeries } from "./series.ts";
import { createStatistics, type Statistics } from "./statistics.ts";

/** Figures of the code values of each frame. */
export const signalstats: Filter = { name: "signalstats" };

/** Statistics of some keys, each under a name of its own. */
const gatherKeys = (
  keys: Readonly<Record<string, string>>,
  finish: (figures: JsonObject) => JsonObject = (figures) => figures,
  unit = 1,
): Gatherer => {
  const all = Object.entries(keys).map(([name, key]): [string, string, Statistics] => [name, key, createStatistics()]);
  return {
    frame: (frame) => {
      for (const [, key, statistics] of all) {
        const value = numberAt(frame, key);
        if (value !== undefined) statistics.add(value / unit, frame);
      }
    },
    end: () => finish(Object.fromEntries(all.map(([name, , statistics]) => [name, statistics.figures()]))),
  };
};

type Black = { duration_sec: number; black_level: number; black_pixel_ratio: number };

/** Frames of which enough pixels are dark, for long enough: ffmpeg's blackdetect. */
export const black: Analysis<Black> = {
  filters: ({ black_level: level, black_pixel_ratio: ratio }) => [
    // Every black frame is told; what is too short is left out behind the last frame, where the end is known.
    { name: "blackdetect", options: { d: 0, pic_th: ratio, pix_th: level } },
  ],
  gather: ({ duration_sec, black_level, black_pixel_ratio }, _info, version) =>
    gatherIntervals({
      ...{ startKey: "lavfi.black_start", endKey: "lavfi.black_end", atLeast: duration_sec, version },
      settings: { duration_sec, black_level, black_pixel_ratio },
    }),
};

type BlackBorders = { black_level: number; max_outliers?: number | undefined };

/** Rows and columns at the edges that stay dark in every frame: ffmpeg's cropdetect. Pixels. */
export const blackBorders: Analysis<BlackBorders> = {
  filters: ({ black_level: limit, max_outliers: max }) => [
    { name: "cropdetect", options: { limit, round: 2, reset: 0, skip: 0, max_outliers: max } },
  ],
  gather: (_settings, { width, height }) => {
    const edges = { x1: 0, x2: width - 1, y1: 0, y2: height - 1 };
    return {
      frame: (frame) => {
        for (const name of ["x1", "x2", "y1", "y2"] as const)
          edges[name] = numberAt(frame, `lavfi.cropdetect.${name}`) ?? edges[name];
      },
      end: (): JsonObject => {
        // Nothing but black: there is no picture that borders could lie around.
        if (edges.x2 < edges.x1 || edges.y2 < edges.y1)
          return { left: 0, right: 0, top: 0, bottom: 0, is_all_black: true };
        return { left: edges.x1, right: width - 1 - edges.x2, top: edges.y1, bottom: height - 1 - edges.y2 };
      },
    };
  },
};

/** Field order by comparing neighbouring rows over several frames: ffmpeg's idet. */
export const interlacing: Analysis<object> = {
  filters: () => [{ name: "idet" }],
  gather: () => {
    const counts = { tff: 0, bff: 0, progressive: 0, undetermined: 0 };
    return {
      frame: (frame) => {
        for (const name of ["tff", "bff", "progressive", "undetermined"] as const)
          counts[name] = numberAt(frame, `lavfi.idet.multiple.${name}`) ?? counts[name];
      },
      end: () => {
        const decided = counts.tff + counts.bff + counts.progressive;
        const ratio = decided === 0 ? 0 : (counts.tff + counts.bff) / decided;
        return { interlacing_ratio: rounded(ratio), ...counts };
      },
    };
  },
};

type Levels = { chroma_levels?: boolean | undefined };

const planes = { luma: "Y", chroma_u: "U", chroma_v: "V" } as const;
const places = { min: "MIN", low: "LOW", average: "AVG", high: "HIGH", max: "MAX" } as const;

/** Code values of the picture: minimum, 10th percentile, average, 90th percentile, maximum. */
export const levels: Analysis<Levels> = {
  filters: () => [signalstats],
  gather: ({ chroma_levels: isWithChroma = true }, { bitDepth }) => {
    const wanted = Object.entries(planes).filter(([name]) => isWithChroma || name === "luma");
    const keys = wanted.flatMap(([plane, letter]) =>
      Object.entries(places).map(([place, word]) => [`${plane}.${place}`, `lavfi.signalstats.${letter}${word}`]),
    );
    const chart = createSeries("Luma, average", "code values");
    const figures = gatherKeys(Object.fromEntries(keys), (flat) => {
      const byPlane: JsonObject = { bit_depth: bitDepth };
      for (const [plane] of wanted)
        byPlane[plane] = Object.fromEntries(
          Object.keys(places).map((place) => [place, flat[`${plane}.${place}`] ?? {}]),
        );
      return { ...byPlane, ...chart.figures() };
    });
    return {
      frame: (frame) => {
        figures.frame(frame);
        const luma = numberAt(frame, "lavfi.signalstats.YAVG");
        if (luma !== undefined) chart.add(luma, frame.seconds);
      },
      end: figures.end,
    };
  },
};

/** How much one frame differs from the one before, as the mean difference of luma code values. */
export const contentVariance: Analysis<object> = {
  filters: () => [signalstats],
  gather: (_settings, { bitDepth }) =>
    gatherKeys({ luma_difference: "lavfi.signalstats.YDIF" }, (figures) => ({ bit_depth: bitDepth, ...figures })),
};

type Blockiness = {
  violation_frame_window: number;
  violation_threshold?: number | undefined;
  max_report_violations?: number | undefined;
};

/**
 * Visible edges of coding blocks, by ffmpeg's blockdetect (the metric of Muijs and Kirenko, 2005): about 1 where there are
 * none, more where there are. A violation is a window of frames whose average is above the threshold.
 */
export const blockiness: Analysis<Blockiness> = {
  filters: () => [{ name: "blockdetect" }],
  gather: ({ violation_frame_window: size, violation_threshold: threshold, max_report_violations: most = 100 }) => {
    const statistics = createStatistics();
    const violations: JsonObject[] = [];
    let [found, sum, count] = [0, 0, 0];
    let from = { number: 0, seconds: 0 };
    return {
      frame: (frame) => {
        const value = numberAt(frame, "lavfi.block");
        if (value === undefined) return;
        statistics.add(value, frame);
        if (count === 0) from = frame;
        [sum, count] = [sum + value, count + 1];
        if (count < size) return;
        const average = sum / count;
        [sum, count] = [0, 0];
        if (threshold === undefined || average <= threshold) return;
        found += 1;
        if (violations.length < most)
          violations.push({ frame: from.number, pos_sec: rounded(from.seconds), value: rounded(average) });
      },
      end: () => ({
        algorithm: "blockdetect",
        ...statistics.figures(),
        ...(threshold !== undefined && { violation_count: found, violations }),
      }),
    };
  },
};

type Complexity = { analysis_width?: number | undefined; analysis_height?: number | undefined };

/** Spatial and temporal information of ITU-T P.910, on a picture of the size that is asked for. */
export const complexity: Analysis<Complexity> = {
  isApart: true,
  filters: ({ analysis_width: width, analysis_height: height }) => [
    ...(width === undefined && height === undefined
      ? []
      : [{ name: "scale", options: { w: width ?? -2, h: height ?? -2, flags: "bicubic" } }]),
    { name: "siti" },
  ],
  gather: (_settings, { bitDepth }) => {
    let frames = 0;
    // The filter measures anything above eight bits with ten; results are those of eight bits, for which P.910 is made.
    const unit = bitDepth > 8 ? 4 : 1;
    const both = gatherKeys({ spatial: "lavfi.siti.si", temporal: "lavfi.siti.ti" }, (figures) => figures, unit);
    return {
      frame: (frame) => {
        frames += 1;
        both.frame(frame);
      },
      end: (seconds) => ({ frames, ...both.end(seconds) }),
    };
  },
};

type SceneChanges = { thresholds?: number | readonly number[] | undefined; cutlist_threshold?: number | undefined };

/** How likely each frame begins another scene, 0 to 100: ffmpeg's scdet. */
export const sceneChangeScore: Analysis<SceneChanges> = {
  filters: () => [{ name: "scdet", options: { t: 100 } }],
  gather: ({ thresholds = [], cutlist_threshold: cut }) => {
    const statistics = createStatistics();
    const counted = [thresholds].flat().map((threshold) => ({ threshold, count: 0 }));
    const cuts: JsonObject[] = [];
    return {
      frame: (frame) => {
        const score = numberAt(frame, "lavfi.scd.score");
        if (score === undefined) return;
        statistics.add(score, frame);
        for (const each of counted) if (score >= each.threshold) each.count += 1;
        if (cut === undefined || score < cut || cuts.length >= 2000) return;
        cuts.push({ frame: frame.number, pos_sec: rounded(frame.seconds), score: rounded(score) });
      },
      end: () => ({ ...statistics.figures(), thresholds: counted, ...(cut !== undefined && { cutlist: cuts }) }),
    };
  },
};

/** The filter takes the first frame for a flash out of black, which alone gives up to 2; real flashes give 10 and more. */
const calm = 2;

/**
 * Flashes that may trigger seizures, by ffmpeg's photosensitivity filter. It is no certified test: broadcasters that ask
 * for one want a licensed analyser.
 */
export const flashes: Analysis<object> = {
  isApart: true,
  filters: () => [{ name: "photosensitivity", options: { bypass: 1 } }],
  gather: () => {
    const statistics = createStatistics();
    const events: JsonObject[] = [];
    let begin: number | undefined;
    const close = (end: number): void => {
      if (begin !== undefined && events.length < 2000)
        events.push({ begin: rounded(begin), end: rounded(end), duration_sec: rounded(end - begin) });
      begin = undefined;
    };
    return {
      frame: (frame) => {
        const badness = numberAt(frame, "lavfi.photosensitivity.badness");
        if (badness === undefined) return;
        statistics.add(badness, frame);
        if (badness > calm) begin ??= frame.seconds;
        else close(frame.seconds);
      },
      end: (seconds) => {
        close(seconds);
        return {
          measure: "ffmpeg photosensitivity (not certified)",
          passed: events.length === 0,
          events,
          badness: statistics.figures(),
        };
      },
    };
  },
};
