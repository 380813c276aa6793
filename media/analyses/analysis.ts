import type { z } from "zod";
import type { Filter } from "../ffmpeg/filtergraph.ts";

/** A result's value: JSON without anything undefined. */
export type Json = z.core.util.JSONType;
export type JsonObject = { [name: string]: Json };

/** One frame with the notes of a detector: when it is shown, and the filters' metadata. */
export type MeasuredFrame = {
  /** From 0. */
  readonly number: number;
  readonly seconds: number;
  /** By ffmpeg's name: `lavfi.idet.multiple.tff`. */
  readonly keys: ReadonlyMap<string, string>;
};

/** Collects data over a whole stream, frame by frame, in bounded memory. */
export type Gatherer = {
  frame(frame: MeasuredFrame): void;
  /** After the last frame; `seconds` is the end of the stream. */
  end(seconds: number): JsonObject;
};

/** What is measured: a video or an audio stream. */
export type StreamInfo = {
  readonly width: number;
  readonly height: number;
  /** Frames per second; for sound, samples per second. */
  readonly rate: number;
  readonly channels: number;
  readonly bitDepth: number;
  readonly isFullRange: boolean;
  /** The picture's transfer function, as ffprobe names it. */
  readonly transfer: string;
};

/** The format of results: 1 for older clients, 2 with `settings`, and `begin` and `end` of events. */
export type ResponseVersion = 1 | 2;

/**
 * One analysis of a decoded stream: the filters that measure without changing the stream, and how their notes become a
 * result. Filters that change the stream set `isApart` and get their own branch.
 */
export type Analysis<Settings> = {
  readonly isApart?: boolean;
  readonly filters: (settings: Settings, info: StreamInfo) => readonly Filter[];
  readonly gather: (settings: Settings, info: StreamInfo, version: ResponseVersion) => Gatherer;
};

/** The number under a key; undefined if the filter wrote none. */
export const numberAt = ({ keys }: MeasuredFrame, key: string): number | undefined => {
  const text = keys.get(key);
  if (text === undefined) return undefined;
  if (text === "-inf") return Number.NEGATIVE_INFINITY;
  const value = Number(text);
  return Number.isNaN(value) ? undefined : value;
};

/** JSON has no infinity: silence is reported as this many decibels. */
const quietest = -200;
export const decibels = (value: number | undefined): number =>
  value === undefined || !Number.isFinite(value) ? quietest : rounded(value);

/** No detector is more precise than six decimals. */
export const rounded = (value: number, digits = 6): number => Number(value.toFixed(digits));

/** Sound is measured in pieces of this length: otherwise the notes of a film fill the disk. */
export const pieceSeconds = 0.1;
