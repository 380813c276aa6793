import type { z } from "zod";
import type { Filter } from "../ffmpeg/filtergraph.ts";

/** A result's value: JSON without anything undefined. */
export type Json = z.core.util.JSONType;
export type JsonObject = { [name: string]: Json };

/** One frame as a detector left it: when it is shown, and what the filters noted of it. */
export type MeasuredFrame = {
  /** From 0. */
  readonly number: number;
  readonly seconds: number;
  /** By ffmpeg's name: `lavfi.idet.multiple.tff`. */
  readonly keys: ReadonlyMap<string, string>;
};

/** Gathers what a whole stream says, frame by frame, in bounded memory. */
export type Gatherer = {
  frame(frame: MeasuredFrame): void;
  /** After the last frame; `seconds` is where it ends. */
  end(seconds: number): JsonObject;
};

/** What is measured: a picture's stream, or one of sound. */
export type StreamInfo = {
  readonly width: number;
  readonly height: number;
  /** Frames a second; of sound, samples. */
  readonly rate: number;
  readonly channels: number;
  readonly bitDepth: number;
  readonly isFullRange: boolean;
  /** The picture's transfer function, as ffprobe names it. */
  readonly transfer: string;
};

/** How results look: 1 for older clients, 2 with `settings`, and `begin` and `end` of events. */
export type ResponseVersion = 1 | 2;

/**
 * One analysis of a decoded stream: the filters that measure and let everything pass unchanged, and what becomes of their
 * notes. Filters that change what passes say `isApart` and get a branch of their own.
 */
export type Analysis<Settings> = {
  readonly isApart?: boolean;
  readonly filters: (settings: Settings, info: StreamInfo) => readonly Filter[];
  readonly gather: (settings: Settings, info: StreamInfo, version: ResponseVersion) => Gatherer;
};

/** The number under a key; undefined where the filter noted none. */
export const numberAt = ({ keys }: MeasuredFrame, key: string): number | undefined => {
  const text = keys.get(key);
  if (text === undefined) return undefined;
  if (text === "-inf") return Number.NEGATIVE_INFINITY;
  const value = Number(text);
  return Number.isNaN(value) ? undefined : value;
};

/** JSON knows no infinity: silence is told as this many decibels. */
const quietest = -200;
export const decibels = (value: number | undefined): number =>
  value === undefined || !Number.isFinite(value) ? quietest : rounded(value);

/** Six digits behind the point are more than any detector is worth. */
export const rounded = (value: number, digits = 6): number => Number(value.toFixed(digits));
