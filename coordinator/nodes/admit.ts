import { type CoordinatorMessage, fenceKey, type Hello, protocolVersion } from "../../shared/protocol.ts";
import { fenceOf } from "../db/attempts.ts";
import type { NodeProfile, NodeRow } from "../db/nodes.ts";
import { hashSecret, isSameText, newSecret } from "../secrets.ts";
import { assignReady } from "../work/assign.ts";
import type { Farm } from "../work/farm.ts";
import { publishNode } from "../work/nodes.ts";
import { loseAttempt } from "../work/report.ts";
import type { Connection } from "./registry.ts";

export type Admission = { readonly isJoinToken: (token: string) => boolean };

type Refusal = Omit<Extract<CoordinatorMessage, { type: "refused" }>, "type">;

/**
 * Answers `hello`: enrols or recognises the node, settles which of its attempts go on, and gives it work. Resolves with
 * its id, or undefined where it was refused in words.
 */
export const admitNode = async (
  farm: Farm,
  admission: Admission,
  hello: Hello,
  connection: Connection,
): Promise<number | undefined> => {
  const refusal = refusalOf(hello, admission);
  if (refusal) {
    connection.send({ type: "refused", ...refusal });
    return undefined;
  }
  const nodeKey = newSecret();
  const admitted = await farm.change((changes) => {
    const row = recogniseOrEnrol(farm, hello, nodeKey);
    return "message" in row ? row : { row, keep: reconcile(farm, changes, row.id, hello) };
  });
  if ("message" in admitted) {
    farm.log.warn({ name: hello.name, reason: admitted.reason }, `an agent is refused: ${admitted.message}`);
    connection.send({ type: "refused", ...admitted });
    return undefined;
  }
  const { row } = admitted;
  // What was stopped or given away by the same commit goes on nowhere.
  const keep = admitted.keep.filter((fence) => farm.registry.isHeld(row.id, fence));
  farm.registry.connect(row, connection, farm.clock.monotonic(), hello.instance);
  farm.registry.stand(row.id, hello.standing, farm.clock.monotonic());
  connection.send({
    type: "welcome",
    protocol: protocolVersion,
    epoch: farm.epoch,
    nodeId: row.id,
    nodeKey: "joinToken" in hello.credentials ? nodeKey : undefined,
    heartbeatMs: farm.config.heartbeatMs,
    keep,
    // Read at this very moment: a change after it is told to all who are connected, and this node is.
    mounts: farm.stores.mounts.readAll(),
  });
  farm.log.info({ node: row.id, name: row.profile.name, attempts: keep.length }, "node connected");
  publishNode(farm, row.id);
  assignReady(farm);
  return row.id;
};

const refusalOf = ({ protocol, credentials }: Hello, { isJoinToken }: Admission): Refusal | undefined => {
  if (protocol > protocolVersion) {
    const message = `The agent speaks protocol ${protocol}, this coordinator ${protocolVersion} at most: upgrade it first`;
    return { message, retry: true };
  }
  if (!("joinToken" in credentials) || isJoinToken(credentials.joinToken)) return undefined;
  return {
    message: "The join token is not this farm's, or was made anew since: copy the one that the farm shows now",
    retry: false,
  };
};

const unknown: Refusal = { message: "The farm does not know this node, or its key is wrong", retry: true };
const revoked: Refusal = { message: "The farm has revoked this node", retry: false, reason: "revoked" };
/** The one that is there keeps its place: two that took turns would take each other's work away for ever. */
const twin: Refusal = {
  message:
    "Another agent with this identity is connected: was its data folder copied? It may come once that one is gone",
  retry: true,
  reason: "twin",
};

const recogniseOrEnrol = (farm: Farm, hello: Hello, nodeKey: string): NodeRow | Refusal => {
  const { nodes } = farm.stores;
  const { credentials, instance } = hello;
  const now = farm.clock.now();
  if ("joinToken" in credentials) return nodes.insert(hashSecret(nodeKey), profileOf(hello), now);
  const hash = hashSecret(credentials.nodeKey);
  const known = nodes.get(credentials.nodeId);
  if (!known) return isSameText(nodes.revokedKeyHash(credentials.nodeId) ?? "", hash) ? revoked : unknown;
  if (!isSameText(known.keyHash, hash)) return unknown;
  if (farm.registry.hasTwin(known.id, instance, farm.clock.monotonic())) return twin;
  nodes.greet(known.id, profileOf(hello), now);
  return nodes.get(known.id) ?? unknown;
};

const profileOf = ({ name, platform, tags, slots, roots, mounts, tools, machine }: Hello): NodeProfile => ({
  name,
  platform,
  tags,
  slots,
  roots,
  mounts,
  tools,
  machine,
});

/** Attempts that both sides hold go on; those that only the store holds are lost. Others the agent drops. */
const reconcile = (farm: Farm, changes: Parameters<typeof loseAttempt>[1], nodeId: number, { attempts }: Hello) => {
  const held = new Set(attempts.map(({ fence }) => fenceKey(fence)));
  const own = farm.stores.attempts.open().filter((attempt) => attempt.node_id === nodeId);
  const [kept, lost] = [
    own.filter((attempt) => held.has(fenceKey(fenceOf(attempt)))),
    own.filter((attempt) => !held.has(fenceKey(fenceOf(attempt)))),
  ];
  for (const attempt of lost) loseAttempt(farm, changes, attempt, "its node came back without it");
  return kept.map(fenceOf);
};
