import { join } from "node:path";
import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import type { Secret } from "../../shared/basics/secret.ts";
import { decodeJoinToken, type JoinToken } from "../../shared/credentials/join-token.ts";
import { pins } from "../../shared/credentials/pin.ts";
import type { Hello } from "../../shared/protocol/messages.ts";
import type { AgentConfig } from "../config.ts";
import { readTextIfThere } from "../disk/file-system.ts";
import { parseJsonAs } from "../disk/json.ts";
import { writeDurably } from "../disk/own-files.ts";

const membership = z.strictObject({
  url: z.string(),
  nodeId: z.number().int(),
  nodeKey: z.string().min(1),
  /** How the farm is known, as it last said; see shared/credentials/pin.ts. */
  pins: pins.optional(),
  others: z.array(z.string()).optional(),
});
const identityFile = z.strictObject({ farms: z.record(z.string(), membership) });
type Memberships = z.output<typeof identityFile>["farms"];

/** This node's identity in its farm. */
export type Identity = {
  readonly farmId: string;
  readonly url: string;
  /** Where its other coordinators are. */
  readonly others: readonly string[];
  /** How the farm's TLS authority is known: by the join token, and by what the farm announced since. */
  pins(): readonly string[];
  credentials(): Hello["credentials"];
  /** Stores the identity from a welcome. A welcome without a key confirms the existing one. */
  welcomed(nodeId: number, nodeKey: string | undefined, announced?: readonly string[]): Promise<void>;
  /**
   * The coordinator refused these credentials: tries the next ones, if any. True if that is a join token after a key,
   * which the farm may have forgotten.
   */
  refused(): boolean;
};

export type IdentityNeeds = Pick<AgentConfig, "dataDir" | "joinToken">;

/** Reads the node's id and key; joins an unknown farm with the token. */
export const openIdentity = async ({ dataDir, joinToken }: IdentityNeeds): Promise<Identity> => {
  const path = join(dataDir, "identity.json");
  const farms = await readFarms(path);
  const { farmId, url, pins: given = [], others = [] } = chooseFarm(farms, joinToken);
  let usesKey = farms[farmId] !== undefined;
  return {
    farmId,
    url,
    others,
    // A token without pins asks for the check that browsers make: what was announced before does not replace it.
    pins: () => (given.length === 0 ? [] : [...new Set([...given, ...(farms[farmId]?.pins ?? [])])]),
    credentials: () => {
      const known = farms[farmId];
      if (usesKey && known) return { nodeId: known.nodeId, nodeKey: known.nodeKey };
      return { joinToken: joinToken?.reveal() ?? "" };
    },
    welcomed: async (nodeId, nodeKey, announced) => {
      const key = nodeKey ?? farms[farmId]?.nodeKey;
      if (key === undefined)
        throw new AppError("NOT_AUTHENTICATED", "The farm accepted this node, but did not give it a key");
      usesKey = true;
      const known = announced ?? (given.length > 0 ? given : undefined);
      const now = {
        url,
        nodeId,
        nodeKey: key,
        ...(known && { pins: [...known] }),
        ...(others.length > 0 && { others: [...others] }),
      };
      if (JSON.stringify(farms[farmId]) === JSON.stringify(now)) return;
      farms[farmId] = now;
      await writeDurably(path, JSON.stringify({ farms }, null, 2));
    },
    refused: () => {
      const joinsNext = usesKey && joinToken !== undefined;
      usesKey = farms[farmId] !== undefined && !joinsNext;
      return joinsNext;
    },
  };
};

const readFarms = async (path: string): Promise<Memberships> => {
  const text = await readTextIfThere(path);
  if (text === undefined) return {};
  const parsed = parseJsonAs(identityFile, text);
  if (parsed) return parsed.farms;
  throw new AppError("CONFLICT", `${path} is damaged: move it away and start the agent with --join to join again`);
};

const chooseFarm = (farms: Memberships, joinToken: Secret | undefined): Omit<JoinToken, "secret"> => {
  if (joinToken !== undefined) return decodeJoinToken(joinToken.reveal());
  const [first, ...others] = Object.entries(farms);
  if (!first)
    throw new AppError("VALIDATION_FAILED", "This node has not joined a farm yet: start it with --join TOKEN");
  if (others.length > 0) {
    throw new AppError("VALIDATION_FAILED", "This node has joined more than one farm: choose one with --join TOKEN");
  }
  return { farmId: first[0], url: first[1].url, pins: first[1].pins ?? [], others: first[1].others };
};
