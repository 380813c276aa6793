import { z } from "zod";
import type { ResultParser } from "../../shared/model/step-result.ts";
import { type JsonObject, rounded } from "../analyses/analysis.ts";
import { createStatistics } from "../analyses/statistics.ts";
import { placed } from "./analysis.ts";
import { readOptions } from "./options.ts";

const packetOptions = z.strictObject({ windowSeconds: z.number().positive() });

/**
 * Packets of a video as listed by ffmpeg's `framecrc`: all of them (stream 0), and again only the key frames (stream
 * 1): `stream, dts, pts, duration, size, crc`. GOP sizes in bytes, rates in kb/s.
 */
export const packetsParser: ResultParser = {
  kind: "analysis",
  begin: (given) => {
    const { windowSeconds } = readOptions(packetOptions, given, "packets");
    const base = [0, 0].map(() => 1 / 1000);
    const sizes: Packet[] = [];
    const keys: number[] = [];
    return {
      line: (text) => {
        const scale = /^#tb (\d): (\d+)\/(\d+)/.exec(text);
        if (scale) base[Number(scale[1])] = Number(scale[2]) / Number(scale[3]);
        const [stream, dts, , duration = 0, size] = text.startsWith("#") ? [] : text.split(",").map(Number);
        if (stream === undefined || dts === undefined || size === undefined || !Number.isFinite(size)) return;
        const seconds = dts * (base[stream] ?? 0);
        if (stream === 1) keys.push(seconds);
        else if (sizes.length < 2_000_000) sizes.push({ seconds, size, lasts: duration * (base[0] ?? 0) });
      },
      end: () => placed("video", { compressed_stats: statsOf(sizes, keys, windowSeconds) }),
    };
  },
};

type Packet = { readonly seconds: number; readonly size: number; readonly lasts: number };

const statsOf = (packets: readonly Packet[], keys: readonly number[], windowSeconds: number): JsonObject => {
  if (packets.length === 0) throw new Error("ffmpeg listed no packets");
  const first = packets[0]?.seconds ?? 0; // pictures that refer to later ones are decoded before zero
  const groups = groupsOf(packets, keys);
  const groupSizes = createStatistics();
  for (const [number, group] of groups.entries())
    groupSizes.add(sizeOf(group), { number, seconds: (group[0]?.seconds ?? first) - first });
  const rates = createStatistics();
  for (const [number, { seconds, rate }] of ratesOf(packets, windowSeconds).entries())
    rates.add(rate, { number, seconds });
  return {
    frames: packets.length,
    gops: groups.length,
    average_frames_per_gop: rounded(packets.length / Math.max(1, groups.length)),
    gop_frame_size: groupSizes.figures(),
    datarate_average: { window_size: windowSeconds, ...rates.figures() },
  };
};

const sizeOf = (packets: readonly Packet[]): number => packets.reduce((sum, { size }) => sum + size, 0);

/** A group begins with each key frame; packets before the first one are also a group. */
const groupsOf = (packets: readonly Packet[], keys: readonly number[]): Packet[][] => {
  const starts = new Set(keys.map((seconds) => seconds.toFixed(5)));
  const groups: Packet[][] = [];
  for (const packet of packets) {
    if (groups.length === 0 || starts.has(packet.seconds.toFixed(5))) groups.push([]);
    groups.at(-1)?.push(packet);
  }
  return groups;
};

/** Average rate of consecutive windows, kb/s; the last, shorter one counts by its own length. */
const ratesOf = (packets: readonly Packet[], windowSeconds: number) => {
  const [first, last] = [packets[0]?.seconds ?? 0, packets.at(-1)?.seconds ?? 0];
  const step = packets.length > 1 ? (last - first) / (packets.length - 1) : packets[0]?.lasts || windowSeconds;
  const bytes = new Map<number, number>();
  for (const { seconds, size } of packets) {
    const window = Math.floor((seconds - first) / windowSeconds);
    bytes.set(window, (bytes.get(window) ?? 0) + size);
  }
  const total = last - first + step;
  return [...bytes].map(([window, sum]) => {
    const length = Math.max(step, Math.min(windowSeconds, total - window * windowSeconds));
    return { seconds: window * windowSeconds, rate: (sum * 8) / 1000 / length };
  });
};
