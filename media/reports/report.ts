import type { StepResult } from "../../shared/model/step-result.ts";
import type { Verdict } from "../../shared/model/verdict.ts";
import type { Json, JsonObject } from "../analyses/analysis.ts";
import { mergeParts } from "../results/analysis.ts";
import { readResult } from "../results/index.ts";

/** A report as data, from top to bottom. The renderer decides nothing about its contents. */
export type Block =
  | { readonly is: "heading"; readonly level: 1 | 2; readonly text: string }
  | { readonly is: "verdict"; readonly passed: boolean; readonly text: string }
  | { readonly is: "checks"; readonly checks: readonly Verdict[] }
  | { readonly is: "table"; readonly rows: readonly (readonly [name: string, value: string])[] }
  /** Pictures by the names of their files, and when they are shown. */
  | { readonly is: "stills"; readonly stills: readonly { readonly path: string; readonly sec: number }[] }
  | { readonly is: "intervals"; readonly total: number; readonly intervals: readonly (readonly [number, number])[] }
  | {
      readonly is: "chart";
      readonly title: string;
      readonly unit: string;
      readonly stepSec: number;
      readonly values: readonly number[];
    };

type Subject = {
  readonly title: string;
  readonly subject: string;
  readonly stills?: Extract<Block, { is: "stills" }>["stills"];
};

/** All findings in these results: the verdict first, then the media, then one section per analysis. */
export const reportBlocks = ({ title, subject, stills = [] }: Subject, results: readonly StepResult[]): Block[] => {
  const verdicts = results.flatMap((result) => readResult("verdicts", result) ?? []);
  const whole = mergeParts(
    results.flatMap(({ kind, value }) => (kind === "analysis" && isObject(value) ? [value] : [])),
  );
  return [
    { is: "heading", level: 1, text: subject || title },
    ...(verdicts.length > 0 ? verdictBlocks(verdicts) : []),
    ...(stills.length > 0 ? [{ is: "stills" as const, stills }] : []),
    ...generalBlocks(whole.general_properties),
    ...deepBlocks(whole.deep_properties, durationOf(whole)),
  ];
};

const verdictBlocks = (checks: readonly Verdict[]): Block[] => {
  const failed = checks.filter(({ outcome }) => outcome === "failed").length;
  const text = failed === 0 ? `All ${checks.length} tests passed` : `${failed} of ${checks.length} tests failed`;
  return [
    { is: "verdict", passed: failed === 0, text },
    { is: "checks", checks },
  ];
};

const generalBlocks = (general: Json | undefined): Block[] => {
  if (!isObject(general)) return [];
  return Object.entries(general).flatMap(([name, part]): Block[] => {
    const parts = Array.isArray(part) ? part : [part];
    return parts.flatMap((each, index): Block[] => {
      if (!isObject(each) || Object.keys(each).length === 0) return [];
      const label = Array.isArray(part) ? `${words(name)} ${index + 1}` : words(name);
      return [{ is: "heading", level: 2, text: label }, ...tableOf(each)];
    });
  });
};

const deepBlocks = (deep: Json | undefined, duration: number): Block[] => {
  if (!isObject(deep)) return [];
  const video = isObject(deep.video) ? Object.entries(deep.video) : [];
  const audio = Array.isArray(deep.audio) ? deep.audio : [];
  return [
    ...video.flatMap(([name, found]) => analysisBlocks(`Video: ${words(name)}`, found, duration)),
    ...audio.flatMap((track, index) =>
      isObject(track)
        ? Object.entries(track).flatMap(([name, found]) =>
            name === "track_selector"
              ? []
              : analysisBlocks(`Audio ${trackOf(track, index) + 1}: ${words(name)}`, found, duration),
          )
        : [],
    ),
  ];
};

/** Entries are in the payload's order; one that selected another track names it. */
const trackOf = ({ track_selector: selected }: JsonObject, index: number): number =>
  isObject(selected) && typeof selected.index === "number" ? selected.index : index;

const analysisBlocks = (text: string, found: Json, duration: number): Block[] => {
  if (!isObject(found)) return [];
  const { events, chart, settings, response_version, ...figures } = found;
  const intervals = Array.isArray(events) ? events.flatMap(intervalOf) : [];
  const total = Math.max(duration, ...intervals.map(([, end]) => end));
  return [
    { is: "heading", level: 2, text },
    ...tableOf({ ...figures, ...(Array.isArray(events) && { events: events.length }) }),
    ...(intervals.length > 0 ? [{ is: "intervals" as const, total, intervals }] : []),
    ...chartOf(chart),
  ];
};

const intervalOf = (event: Json): (readonly [number, number])[] => {
  if (!isObject(event)) return [];
  const begin = event.begin ?? event.pos_sec;
  const length = event.duration_sec;
  return typeof begin === "number" && typeof length === "number" ? [[begin, begin + length]] : [];
};

const chartOf = (chart: Json | undefined): Block[] => {
  if (!isObject(chart) || !Array.isArray(chart.values)) return [];
  const values = chart.values.filter((each): each is number => typeof each === "number");
  const stepSec = typeof chart.step_sec === "number" ? chart.step_sec : 1;
  if (values.length < 2) return [];
  return [{ is: "chart", title: String(chart.title ?? ""), unit: String(chart.unit ?? ""), stepSec, values }];
};

/** Values side by side; a value at one frame includes its position. */
const tableOf = (fields: JsonObject, prefix = ""): Block[] => {
  const rows = rowsOf(fields, prefix);
  return rows.length > 0 ? [{ is: "table", rows }] : [];
};

const rowsOf = (fields: JsonObject, prefix: string): (readonly [string, string])[] =>
  Object.entries(fields).flatMap(([key, value]): (readonly [string, string])[] => {
    const name = prefix === "" ? words(key) : `${prefix}, ${words(key).toLowerCase()}`;
    if (isObject(value)) return isStatistic(value) ? [[name, statisticText(value)]] : rowsOf(value, name);
    if (Array.isArray(value)) return value.every((each) => typeof each !== "object") ? [[name, value.join(", ")]] : [];
    return value === null ? [] : [[name, shown(value)]];
  });

/** Figures of all frames, which make one line. */
const isStatistic = (value: JsonObject): boolean =>
  ["mean", "min", "max"].every((key) => typeof value[key] === "number");

const statisticText = ({ mean, stddev, min, max, min_pos_sec: first, max_pos_sec: second }: JsonObject): string => {
  const place = (sec: Json | undefined) => (typeof sec === "number" ? ` at ${shown(sec)} s` : "");
  const figure = (value: Json | undefined) => (typeof value === "number" ? shown(value) : "");
  const spread = stddev === undefined ? "" : ` ± ${figure(stddev)}`;
  return `${figure(mean)}${spread}, from ${figure(min)}${place(first)} to ${figure(max)}${place(second)}`;
};

const shown = (value: string | number | boolean): string => {
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? String(Number(value.toFixed(3))) : value;
};

const units: Readonly<Record<string, string>> = {
  sec: "(s)",
  db: "(dB)",
  dbfs: "(dBFS)",
  lufs: "(LUFS)",
  kb: "(kB)",
};

/** Analyses that people know by these letters. */
const letters: Readonly<Record<string, string>> = {
  ...{ psnr: "PSNR", ssim: "SSIM", vmaf: "VMAF", ebur128: "EBU R 128", hdr_stats: "HDR", pse: "Flashes" },
  ...{ par: "Pixel aspect ratio", dar: "Display aspect ratio", tff: "Top field first", bff: "Bottom field first" },
  ...{ is_hdr: "HDR", max_cll: "MaxCLL (cd/m²)", max_fall: "MaxFALL (cd/m²)", dc_offset: "DC offset" },
  ...{
    bitrate_kb: "Bitrate (kb/s)",
    gop_frame_size: "Group of pictures (bytes)",
    datarate_average: "Data rate (kb/s)",
  },
  ...{ loudness_lra_lufs: "Loudness range (LU)", loudness_target: "Target (LUFS)", rms_level_db: "RMS level (dB)" },
  ...{ rms_peak_db: "RMS peak (dB)", rms_trough_db: "RMS trough (dB)" },
};

/** `integrated_lufs` -> `Integrated (LUFS)`. */
const words = (key: string): string => {
  if (Object.hasOwn(letters, key)) return letters[key] ?? key;
  const parts = key.split("_").map((part, index) => (index > 0 ? (units[part] ?? part) : part));
  const text = parts.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const durationOf = ({ general_properties: general }: JsonObject): number => {
  const container = isObject(general) ? general.container : undefined;
  return isObject(container) && typeof container.duration_sec === "number" ? container.duration_sec : 0;
};

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
