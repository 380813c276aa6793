import { rmSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { planPreview } from "../../media/preview/plan.ts";
import { segmentArgs } from "../../media/preview/segment-args.ts";
import type { SegmentWish } from "../../media/preview/segments.ts";
import { countSegments, segmentOf } from "../../media/preview/segments.ts";
import { stillArgs } from "../../media/preview/still-args.ts";
import type { Clock } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import { sourceError, TaskError } from "../../shared/model/failure.ts";
import {
  type FileRequest,
  type FileResponse,
  maxSegmentBytes,
  maxStillBytes,
} from "../../shared/protocol/node-files.ts";
import { type Arg, fillArgument } from "../../shared/work/arguments.ts";
import { makeOwnFolder } from "../disk/own-files.ts";
import type { MediaTools } from "../tools/media-tools.ts";
import { createConcurrencyLimit } from "./few-at-once.ts";
import { createByteCache } from "./kept-bytes.ts";
import { changed, createMediaOpener, type OpenMediaNeeds } from "./open-media.ts";
import { createSharedWork } from "./shared-work.ts";

export type PreviewRequest = Extract<FileRequest, { do: "preview" | "segment" | "still" }>;

export type PreviewsNeeds = OpenMediaNeeds & {
  readonly tools: Pick<MediaTools, "ffmpeg" | "probe">;
  /** Contains only segments that are being made. */
  readonly folder: string;
  /** Why this node does not work for its farm now. */
  readonly refusal: () => string | undefined;
  /** Of this node's tools. */
  readonly capabilities: readonly string[];
  /** Stands still while work is suspended. */
  readonly clock: Clock;
};

/** Work comes first: few previews are made at a time, and people who watch wait for each other. */
const limits = { atOnce: 2, waiting: 8 };
const keptBytes = 32 * 1024 * 1024;
const longestMs = 60_000;

export type Previews = ReturnType<typeof createPreviews>;

/** Makes previews of this node's files, a few seconds or one still at a time, while its owner lends it. */
export const createPreviews = (needs: PreviewsNeeds) => {
  const { folder, clock } = needs;
  const open = createMediaOpener(needs);
  const { plan, make } = createMaker(needs, open);
  const inTurn = createConcurrencyLimit(limits);
  const kept = createByteCache(keptBytes);
  const once = createSharedWork<Uint8Array>();
  let owner = new AbortController();
  rmSync(folder, { recursive: true, force: true }); // what an agent that crashed left behind
  makeOwnFolder(folder);

  const refuseUnlent = (): void => {
    const refusal = needs.refusal();
    if (refusal !== undefined) throw new AppError("CONFLICT", notLent(refusal));
  };

  const inTime = async (path: string, ask: PartAsk, signal: AbortSignal): Promise<Uint8Array> => {
    const late = new AbortController();
    refuseUnlent();
    const stop = clock.after(longestMs, () => late.abort(new TaskError("timeout", tooSlow)));
    try {
      return await make(path, ask, AbortSignal.any([signal, late.signal]));
    } finally {
      stop();
    }
  };

  const refuseChanged = async (path: string, { state }: PartAsk): Promise<void> => {
    await using media = await open(path);
    if (media.state !== state) throw changed(path);
  };

  const part = async (path: string, ask: PartAsk, signal: AbortSignal): Promise<FileResponse> => {
    await refuseChanged(path, ask);
    const key = [ask.state, ask.do, ask.do === "still" ? ask.step : ask.segment].join("/");
    const make = (wanted: AbortSignal) => {
      // What waits for its turn is given up with what is being made.
      const lent = AbortSignal.any([wanted, owner.signal]);
      return inTurn(lent, () => inTime(path, ask, lent));
    };
    const bytes = kept.get(key) ?? (await once(key, signal, make));
    kept.put(key, bytes);
    return { is: ask.do, data: Buffer.from(bytes).toString("base64") };
  };

  return {
    /** The answer about a file at a checked path. Throws in words for people. */
    answer: async (ask: PreviewRequest, path: string, signal: AbortSignal): Promise<FileResponse> => {
      refuseUnlent();
      return ask.do === "preview" ? plan(path, ask.size, signal) : part(path, ask, signal);
    },
    /** The owner needs the machine: everything that was asked for is given up. */
    stop: (why: string): void => {
      owner.abort(new AppError("CONFLICT", notLent(why)));
      owner = new AbortController();
    },
  };
};

/** Plans previews and makes their parts, whoever asks and however many. */
const createMaker = ({ tools, folder, capabilities }: PreviewsNeeds, open: ReturnType<typeof createMediaOpener>) => {
  const mapsTones = ["filter:zscale", "filter:tonemap"].every((each) => capabilities.includes(each));
  let last = 0;

  const plan = async (path: string, size: number | undefined, signal: AbortSignal): Promise<FileResponse> => {
    await using media = await open(path);
    if (size !== undefined && media.size !== size) throw changed(path);
    try {
      return { is: "preview", state: media.state, preview: planPreview(await media.facts(signal)) };
    } catch (error) {
      throw sourceError(media.named(error));
    }
  };

  const make = async (path: string, ask: PartAsk, signal: AbortSignal) => {
    await using media = await open(path);
    if (media.state !== ask.state) throw changed(path);
    last += 1;
    const made = join(folder, `${last}${ask.do === "still" ? ".jpg" : ".mp4"}`);
    try {
      const facts = await media.facts(signal);
      const args = argsOf({ name: path, facts, preview: planPreview(facts), mapsTones }, ask);
      const pathOf = (word: object): string => ("asset" in word ? media.path : made);
      await tools.ffmpeg({ args: args.map((word) => fillArgument(word, pathOf)), signal, graceMs: 1000 });
      await media.refuseChanged();
      return await bytesOf(made, ask);
    } catch (error) {
      signal.throwIfAborted();
      throw new TaskError("media", media.named(error));
    } finally {
      await rm(made, { force: true });
    }
  };

  return { plan, make };
};

/** Whether a node with these tools makes stills of what it makes previews of. */
export const canMakeStills = (capabilities: readonly string[]): boolean =>
  canPreview(capabilities) && ["encoder:mjpeg", "muxer:image2"].every((each) => capabilities.includes(each));

/** Whether a node with these tools makes previews. */
export const canPreview = (capabilities: readonly string[]): boolean =>
  ["encoder:libx264", "encoder:aac", "muxer:mp4"].every((each) => capabilities.includes(each));

/** A question for one part: a segment or a still. */
type PartAsk = Extract<FileRequest, { do: "segment" | "still" }>;

const argsOf = (wish: Omit<SegmentWish, "segment">, ask: PartAsk): Arg[] => {
  const { preview } = wish;
  if (ask.do === "segment") {
    const segment = segmentOf(preview, ask.segment);
    if (segment) return segmentArgs({ ...wish, segment });
    throw sourceError(`there is no segment ${ask.segment}, only ${countSegments(preview)}`);
  }
  const args = ask.step < preview.steps ? stillArgs({ ...wish, step: ask.step }) : undefined;
  if (args) return args;
  throw sourceError(`there is no picture ${ask.step}`);
};

const notLent = (why: string): string => `this computer makes no previews now, because it is not lent: ${why}`;
const tooSlow = `a few seconds of the preview took longer than ${longestMs / 1000} s: download the file instead`;

const bytesOf = async (path: string, ask: PartAsk): Promise<Uint8Array> => {
  const bytes = await readFile(path);
  if (bytes.length > 0 && bytes.length <= (ask.do === "still" ? maxStillBytes : maxSegmentBytes)) return bytes;
  throw new TaskError("media", `a ${ask.do} of ${bytes.length} bytes was made, which cannot be shown`);
};
