import { splitSegment } from "../../media/preview/segments.ts";
import { sleep } from "../../shared/basics/clock.ts";
import { AppError } from "../../shared/basics/errors.ts";
import {
  maxSegmentBytes,
  maxStillBytes,
  previewsCapability,
  stillsCapability,
} from "../../shared/protocol/node-files.ts";
import type { Preview } from "../../shared/protocol/preview.ts";
import { bytesWithin } from "./answered-bytes.ts";
import { nodeName, nodesWithFiles, type Parts, readAnswer, requestFromNode, type Wanted } from "./node-files.ts";

/** A file's preview that somebody watches, and the node that makes it. */
export type OpenPreview = {
  readonly uri: string;
  readonly nodeId: number;
  readonly node: string;
  /** Of the file, as the node saw it. */
  readonly state: string;
  readonly preview: Preview;
};

/** The maximum number of nodes that are asked for one file. */
const mostAsked = 5;

/** After such a silence, the next node is asked as well … */
const silenceMs = 15_000;
/** … and after so long, nobody waits any more. */
const longestMs = 75_000;

/**
 * Finds a node that can make the preview of a file. It asks nodes that are lent first, and of those first the one that
 * made the file. Throws the first node's error if none can.
 */
export const planPreview = async (farm: Parts, wanted: Wanted, nodes: readonly number[]): Promise<OpenPreview> => {
  const asked: Promise<OpenPreview>[] = [];
  const end = new AbortController();
  const stop = farm.clock.after(longestMs, () => end.abort(new AppError("UNAVAILABLE", "No node answered in time")));
  try {
    for (const nodeId of lentFirst(farm, nodes).slice(0, mostAsked)) {
      asked.push(planOn(farm, nodeId, wanted, end.signal));
      const isFound = Promise.any(asked).then(
        () => true,
        () => false,
      );
      if (await Promise.race([isFound, sleep(farm.clock, silenceMs, end.signal).then(() => false)])) break;
    }
    return await Promise.any(asked);
  } catch (problem) {
    const [first]: readonly unknown[] = problem instanceof AggregateError ? problem.errors : [problem];
    throw first ?? new AppError("NOT_FOUND", "No connected node can make previews: that takes ffmpeg with libx264");
  } finally {
    stop();
    end.abort();
  }
};

const planOn = async (farm: Parts, nodeId: number, wanted: Wanted, signal: AbortSignal): Promise<OpenPreview> => {
  const { state, preview } = await requestFromNode(farm, nodeId, { do: "preview", ...wanted }, "preview", signal);
  return { uri: wanted.uri, nodeId, node: nodeName(farm, nodeId), state, preview };
};

/** Connected nodes that make previews, `first` before the others. */
export const nodesWithPreviews = (farm: Parts, first?: number | null): number[] =>
  nodesWithFiles(farm, first).filter((id) =>
    farm.registry.row(id)?.profile.tools.capabilities.includes(previewsCapability),
  );

const lentFirst = (farm: Parts, nodes: readonly number[]): number[] => {
  const isTaken = (id: number) => farm.registry.standing(id)?.takes === false;
  return nodes.toSorted((a, b) => Number(isTaken(a)) - Number(isTaken(b)));
};

/** The two parts of one segment, made by the node of the preview. */
export const previewSegment = async (
  farm: Parts,
  { uri, state, nodeId, node }: OpenPreview,
  segment: number,
  signal: AbortSignal,
) => {
  if (!farm.registry.isConnected(nodeId))
    throw new AppError("UNAVAILABLE", `${node} is not connected: open the file again, so that another node shows it`);
  const { data } = await requestFromNode(farm, nodeId, { do: "segment", uri, state, segment }, "segment", signal);
  const parts = splitSegment(Uint8Array.from(readAnswer(farm, nodeId, () => bytesWithin(data, maxSegmentBytes))));
  if (!parts) throw new AppError("UNAVAILABLE", `${node} made something that cannot be played`);
  return parts;
};

/** A small picture of one step of the preview, as a JPEG. */
export const previewStill = async (farm: Parts, found: OpenPreview, step: number, signal: AbortSignal) => {
  const { uri, state, nodeId, node } = found;
  const capabilities = farm.registry.row(nodeId)?.profile.tools.capabilities ?? [];
  if (!farm.registry.isConnected(nodeId) || !capabilities.includes(stillsCapability))
    throw new AppError("UNAVAILABLE", `${node} is not connected, or makes no stills`);
  const { data } = await requestFromNode(farm, nodeId, { do: "still", uri, state, step }, "still", signal);
  return readAnswer(farm, nodeId, () => bytesWithin(data, maxStillBytes));
};
