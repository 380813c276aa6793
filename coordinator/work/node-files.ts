import { Readable } from "node:stream";
import type { z } from "zod";
import { AppError, messageOf } from "../../shared/errors.ts";
import type { FolderListing } from "../../shared/folder-listing.ts";
import { type FileAsk, type FileTold, filesCapability, mostFound, mostPieceBytes } from "../../shared/node-files.ts";
import type { credentialTest } from "../../shared/vault.ts";
import { isFor, keyOf } from "./credentials.ts";
import type { Farm } from "./farm.ts";

/** Connected nodes that show their files to people, `first` before the others. */
export const nodesWithFiles = (farm: Farm, first?: number | null): number[] =>
  farm.registry
    .rows()
    .filter(({ id, profile }) => farm.registry.isConnected(id) && profile.tools.capabilities.includes(filesCapability))
    .map(({ id }) => id)
    .sort((a, b) => Number(b === first) - Number(a === first));

type Kind = FileTold["is"];

/** Asks a node. Throws AppError with the node's own words where it refuses. */
export const askNode = async <K extends Kind>(
  farm: Farm,
  nodeId: number,
  ask: FileAsk,
  kind: K,
  signal?: AbortSignal,
): Promise<Extract<FileTold, { is: K }>> => {
  const told = await farm.asks.ask(nodeId, ask, signal);
  if (told.is === "busy") throw new AppError("UNAVAILABLE", `${nameOf(farm, nodeId)}: ${told.message}`);
  if (told.is === "refused") throw new AppError("NOT_FOUND", `${nameOf(farm, nodeId)}: ${told.message}`);
  if (told.is !== kind) throw new AppError("UNAVAILABLE", `${nameOf(farm, nodeId)} answered something else`);
  return told as Extract<FileTold, { is: K }>; // its kind was just compared
};

export const nameOf = (farm: Farm, nodeId: number): string =>
  farm.registry.row(nodeId)?.profile.name ?? `node ${nodeId}`;

/** Lists a folder of a node; an empty path lists the folders that it lends. */
export const listNodeFolder = async (farm: Farm, nodeId: number, path: string): Promise<FolderListing> => {
  if (!nodesWithFiles(farm).includes(nodeId))
    throw new AppError("UNAVAILABLE", `${nameOf(farm, nodeId)} is not connected, or is too old to show its files`);
  return (await askNode(farm, nodeId, { do: "list", path }, "folder")).listing;
};

/** The maximum number of nodes to ask for a file by name. */
const mostAsked = 20;

/** Finds files of this name and size on the nodes. */
export const findNodeFiles = async (farm: Farm, ask: { name: string; size?: number | undefined }) => {
  const nodes = nodesWithFiles(farm).slice(0, mostAsked);
  const answers = await Promise.all(
    nodes.map(async (id) => {
      const found = await askNode(farm, id, { do: "find", ...ask }, "found").catch(() => undefined);
      return (found?.paths ?? []).map((path) => ({ path, node: nameOf(farm, id) }));
    }),
  );
  const byPath = Map.groupBy(answers.flat(), ({ path }) => path);
  return [...byPath].slice(0, mostFound).map(([path, found]) => ({ path, nodes: found.map(({ node }) => node) }));
};

/** Which connected nodes can open an address with a credential. It is sent only to nodes that may use it. */
export const tryEntry = async (farm: Farm, asked: z.output<typeof credentialTest>) => {
  const key = keyOf(farm, asked);
  const { prefix, credential } = key;
  const nodes = nodesWithFiles(farm)
    .filter((id) => isFor(farm, key, id))
    .slice(0, mostAsked);
  if (nodes.length === 0) throw new AppError("UNAVAILABLE", "No node is connected that could try it");
  return Promise.all(
    nodes.map(async (id) => {
      const ask = { do: "try", uri: prefix, keys: [{ prefix, credential }] } as const;
      try {
        const { message } = await askNode(farm, id, { ...ask, keys: [...ask.keys] }, "opened");
        return { node: nameOf(farm, id), success: true, message };
      } catch (problem) {
        return { node: nameOf(farm, id), success: false, message: messageOf(problem) };
      }
    }),
  );
};

type Wanted = { readonly uri: string; readonly size?: number | undefined };

/** The first of a few nodes that has the file unchanged, and its size. Throws the error of the node that made it. */
export const nodeWithFile = async (
  farm: Farm,
  { uri, size }: Wanted,
  maker: number | null,
): Promise<{ nodeId: number; size: number }> => {
  let problem: unknown = new AppError("NOT_FOUND", "No connected node can show the file");
  for (const nodeId of nodesWithFiles(farm, maker).slice(0, 3)) {
    try {
      const piece = await askNode(farm, nodeId, { do: "read", uri, size, from: 0, length: 0 }, "piece");
      return { nodeId, size: piece.size };
    } catch (error) {
      // The node that made the file knows best why it cannot be read.
      if (nodeId === maker || !(problem instanceof AppError)) problem = error;
    }
  }
  throw problem;
};

/** A range of a node's file, both ends included. Each piece is requested when the previous one was consumed. */
export const streamNodeFile = (
  farm: Farm,
  { nodeId, uri, size }: Wanted & { readonly nodeId: number },
  { start, end }: { readonly start: number; readonly end: number },
): Readable => {
  const pieces = async function* () {
    for (let from = start; from <= end; ) {
      const length = Math.min(mostPieceBytes, end - from + 1);
      const { data } = await askNode(farm, nodeId, { do: "read", uri, size, from, length }, "piece");
      const bytes = Buffer.from(data, "base64");
      if (bytes.length === 0) throw new AppError("NOT_FOUND", "The file has become shorter");
      yield bytes;
      from += bytes.length;
    }
  };
  return Readable.from(pieces(), { objectMode: false, highWaterMark: mostPieceBytes });
};
