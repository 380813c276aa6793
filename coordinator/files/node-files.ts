import { Readable } from "node:stream";
import type { z } from "zod";
import { AppError, messageOf } from "../../shared/basics/errors.ts";
import type { credentialTest } from "../../shared/credentials/vault.ts";
import type { FolderListing } from "../../shared/files/folder-listing.ts";
import {
  type FileRequest,
  type FileResponse,
  filesCapability,
  maxFoundPaths,
  maxPieceBytes,
} from "../../shared/protocol/node-files.ts";
import { noteBreachLater } from "../nodes/health/breaches.ts";
import { findKey, isFor } from "../secrets/credentials.ts";
import { bytesAsked } from "./answered-bytes.ts";
import type { Files } from "./files.ts";

export type Parts = Pick<
  Files,
  "registry" | "vault" | "credentials" | "nodeRequests" | "log" | "clock" | "change" | "health"
>;

/**
 * Connected nodes that show their files to people, `first` before the others. Those in quarantine come last: what they have
 * may be nowhere else, and what others have as well they may show otherwise.
 */
export const nodesWithFiles = (farm: Parts, first?: number | null): number[] => {
  const rank = (id: number): number => (id === first ? 0 : farm.registry.isTrusted(id) ? 1 : 2);
  return connectedWith(farm, filesCapability).sort((a, b) => rank(a) - rank(b));
};

/** Connected nodes that have the capability, and whose word decides about what they do not have alone. */
export const trustedWith = (farm: Pick<Parts, "registry">, capability: string): number[] =>
  connectedWith(farm, capability).filter(farm.registry.isTrusted);

const connectedWith = ({ registry }: Pick<Parts, "registry">, capability: string): number[] =>
  registry
    .rows()
    .flatMap(({ id, profile }) =>
      registry.isConnected(id) && profile.tools.capabilities.includes(capability) ? [id] : [],
    );

type Kind = FileResponse["is"];

/** Asks a node. Throws AppError with the node's own words where it refuses. */
export const requestFromNode = async <K extends Kind>(
  farm: Parts,
  nodeId: number,
  ask: FileRequest,
  kind: K,
  signal?: AbortSignal,
): Promise<Extract<FileResponse, { is: K }>> => {
  const told = await farm.nodeRequests.request(nodeId, ask, signal);
  if (told.is === "busy") throw new AppError("UNAVAILABLE", `${nodeName(farm, nodeId)}: ${told.message}`);
  if (told.is === "refused") throw new AppError("NOT_FOUND", `${nodeName(farm, nodeId)}: ${told.message}`);
  if (told.is !== kind) throw lied(farm, nodeId, `it answered ${told.is}, and ${kind} was asked`);
  return told as Extract<FileResponse, { is: K }>; // its kind was just compared
};

/** Reads what is in an answer; where it is not what was asked, that one answer ends, and the lie is counted. */
export const readAnswer = <T>(farm: Parts, nodeId: number, read: () => T): T => {
  try {
    return read();
  } catch (problem) {
    throw lied(farm, nodeId, messageOf(problem));
  }
};

const lied = (farm: Parts, nodeId: number, how: string): AppError => {
  noteBreachLater(farm, nodeId, `answered something else than it was asked: ${how}`);
  return new AppError("UNAVAILABLE", `${nodeName(farm, nodeId)} answered something else than it was asked: ${how}`);
};

export const nodeName = (farm: Parts, nodeId: number): string =>
  farm.registry.row(nodeId)?.profile.name ?? `node ${nodeId}`;

/** Lists a folder of a node; an empty path lists the folders that it lends. */
export const listNodeFolder = async (farm: Parts, nodeId: number, path: string): Promise<FolderListing> => {
  if (!nodesWithFiles(farm).includes(nodeId))
    throw new AppError("UNAVAILABLE", `${nodeName(farm, nodeId)} is not connected, or is too old to show its files`);
  return (await requestFromNode(farm, nodeId, { do: "list", path }, "folder")).listing;
};

/** The maximum number of nodes to ask for a file by name. */
const mostAsked = 20;

/** Finds files of this name and size on the nodes. */
export const findNodeFiles = async (farm: Parts, ask: { name: string; size?: number | undefined }) => {
  const nodes = nodesWithFiles(farm).slice(0, mostAsked);
  const answers = await Promise.all(
    nodes.map(async (id) => {
      const found = await requestFromNode(farm, id, { do: "find", ...ask }, "found").catch(() => undefined);
      return (found?.paths ?? []).map((path) => ({ path, node: nodeName(farm, id) }));
    }),
  );
  const byPath = Map.groupBy(answers.flat(), ({ path }) => path);
  return [...byPath].slice(0, maxFoundPaths).map(([path, found]) => ({ path, nodes: found.map(({ node }) => node) }));
};

/** Which connected nodes can open an address with a credential. It is sent only to nodes that may use it, and are trusted. */
export const tryEntry = async (farm: Parts, asked: z.output<typeof credentialTest>) => {
  const key = findKey(farm, asked);
  const { prefix, credential } = key;
  const nodes = trustedWith(farm, filesCapability)
    .filter((id) => isFor(farm, key, id))
    .slice(0, mostAsked);
  if (nodes.length === 0) throw new AppError("UNAVAILABLE", "No node is connected that could try it");
  return Promise.all(
    nodes.map(async (id) => {
      const ask: FileRequest = { do: "try", uri: prefix, keys: [{ prefix, credential }] };
      try {
        const { message } = await requestFromNode(farm, id, ask, "opened");
        return { node: nodeName(farm, id), success: true, message };
      } catch (problem) {
        return { node: nodeName(farm, id), success: false, message: messageOf(problem) };
      }
    }),
  );
};

export type Wanted = { readonly uri: string; readonly size?: number | undefined };

/** The first of a few nodes that has the file unchanged, and its size. Throws the error of the node that made it. */
export const nodeWithFile = async (
  farm: Parts,
  { uri, size }: Wanted,
  maker: number | null,
): Promise<{ nodeId: number; size: number }> => {
  let problem: unknown = new AppError("NOT_FOUND", "No connected node can show the file");
  for (const nodeId of nodesWithFiles(farm, maker).slice(0, 3)) {
    try {
      const piece = await requestFromNode(farm, nodeId, { do: "read", uri, size, from: 0, length: 0 }, "piece");
      readAnswer(farm, nodeId, () => bytesAsked(piece, { from: 0, length: 0, size: size ?? piece.size }));
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
  farm: Parts,
  { nodeId, uri, size }: { readonly uri: string; readonly size: number; readonly nodeId: number },
  { start, end }: { readonly start: number; readonly end: number },
): Readable => {
  const pieces = async function* () {
    for (let from = start; from <= end; ) {
      const length = Math.min(maxPieceBytes, end - from + 1);
      const piece = await requestFromNode(farm, nodeId, { do: "read", uri, size, from, length }, "piece");
      const bytes = readAnswer(farm, nodeId, () => bytesAsked(piece, { from, length, size }));
      yield bytes;
      from += bytes.length;
    }
  };
  return Readable.from(pieces(), { objectMode: false, highWaterMark: maxPieceBytes });
};
