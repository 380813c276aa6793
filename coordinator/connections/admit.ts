import { isDeepStrictEqual } from "node:util";
import { Secret } from "../../shared/basics/secret.ts";
import {
  type CoordinatorMessage,
  fenceKey,
  type Hello,
  oldestProtocol,
  protocolVersion,
} from "../../shared/protocol/messages.ts";
import { jobsAt, loseAttempt } from "../attempts/lost-attempts.ts";
import type { Transaction } from "../kernel/transaction.ts";
import { readMounts } from "../nodes/mounts.ts";
import { readNetworkRules } from "../nodes/network-rules.ts";
import type { AgentAbout, Connection } from "../nodes/node-entry.ts";
import { isNotedOf, publishNode } from "../nodes/node-info.ts";
import type { Nodes } from "../nodes/nodes.ts";
import { hashSecret, isEqualText, newSecret } from "../secrets/vault.ts";
import { soundHealth } from "../store/health-row.ts";
import { fenceOf, type NodeProfile, type NodeRow } from "../store/rows.ts";
import type { JoinPass } from "./join-tokens.ts";
import type { RateLimitedLog } from "./rate-limited-log.ts";

export type Admission = {
  /** Lets one node in by a join token; a text says why it does not. */
  readonly useJoinToken: (token: Secret) => JoinPass | string | Promise<JoinPass | string>;
  /** How nodes know the farm's TLS authority from now on; empty without TLS. */
  readonly pins?: () => readonly string[];
};

type Refusal = Omit<Extract<CoordinatorMessage, { type: "refused" }>, "type">;

/**
 * Answers `hello`: enrols or recognises the node, decides which of its attempts go on, and gives it work. Resolves with
 * its id, or undefined if the node got a refusal.
 */
export const admitNode = async (
  farm: Nodes,
  admission: Admission,
  hello: Hello,
  connection: Connection,
  warn: RateLimitedLog = (fields, message) => farm.log.warn(fields, message),
  /** The address that it came from. */
  origin = "",
): Promise<number | undefined> => {
  const refuse = (refusal: Refusal): undefined => {
    warn({ name: hello.name, reason: refusal.reason }, `an agent is refused: ${refusal.message}`);
    farm.trail.note({
      ...{ who: "", origin, about: { name: hello.name } },
      action: "joinFarm",
      refusal: refusal.reason ?? "NOT_ALLOWED",
    });
    connection.send({ type: "refused", ...refusal });
  };
  const refusal = findRefusal(hello) ?? findExcess(farm, hello);
  if (refusal) return refuse(refusal);
  const { credentials } = hello;
  const pass = "joinToken" in credentials ? await admission.useJoinToken(new Secret(credentials.joinToken)) : undefined;
  if (typeof pass === "string") return refuse({ message: pass, retry: false });
  const nodeKey = newSecret();
  const jobIds = "nodeId" in hello.credentials ? jobsAt(farm, hello.credentials.nodeId) : [];
  const admitted = await farm.change(jobIds, (draft) => {
    const row = pass
      ? draft.insertNode(newNode(hello, hashSecret(nodeKey), farm.clock.now(), pass))
      : recognise(farm, draft, hello);
    return "message" in row ? row : { row, keep: reconcile(farm, draft, row.id, hello) };
  });
  if ("message" in admitted) return refuse(admitted);
  const { id } = admitted.row;
  if (pass) farm.trail.note({ who: `node ${id}`, origin, action: "joinFarm", about: joined(admitted.row) });
  const { mounts, outbound } = await readForAll(farm);
  // From here to the welcome nothing is waited for. While the farm's rules were read, somebody may have changed the node.
  const row = farm.values.nodes.get(id);
  if (!row || row.revoked !== null) return refuse(revoked);
  // Attempts that the same commit, or one since, stopped or gave away do not go on.
  const keep = admitted.keep.filter((fence) => farm.registry.isHeld(row.id, fence));
  farm.registry.connect(row, connection, farm.clock.monotonic(), hello.instance);
  farm.registry.introduce(row.id, aboutAgent(hello, farm.clock.now()));
  farm.registry.stand(row.id, hello.standing, farm.clock.monotonic());
  connection.send({
    type: "welcome",
    protocol: protocolVersion,
    epoch: farm.epoch,
    nodeId: row.id,
    nodeKey: "joinToken" in hello.credentials ? nodeKey.reveal() : undefined,
    heartbeatMs: farm.config.heartbeatMs,
    keep,
    mounts,
    ...(outbound.length > 0 && { outbound }),
    ...pinned(admission.pins?.()),
  });
  farm.log.info({ node: row.id, name: row.profile.name, attempts: keep.length }, "node connected");
  publishNode(farm, row.id);
  farm.wake();
  return row.id;
};

/** What all nodes are told, as it is now: what changes later is told to all that are connected, and this one will be. */
const readForAll = async (farm: Nodes) => {
  let told: number;
  let found: Awaited<ReturnType<typeof readAll>>;
  do {
    told = farm.registry.timesTold();
    found = await readAll(farm);
  } while (told !== farm.registry.timesTold());
  return found;
};

const readAll = async (farm: Nodes) => {
  const [mounts, outbound] = await Promise.all([readMounts(farm), readNetworkRules(farm)]);
  return { mounts, outbound };
};

const pinned = (pins: readonly string[] = []) => (pins.length > 0 ? { pins: [...pins] } : {});

const joined = ({ profile: { name }, joinedBy, state }: NodeRow) => ({ name, by: joinedBy, state });

/** The way here is part of the offset: some milliseconds. */
const aboutAgent = ({ version, clock }: Hello, now: number): AgentAbout => ({
  version,
  clockOffset: clock === undefined ? undefined : Math.round(clock - now),
});

const findRefusal = ({ protocol }: Hello): Refusal | undefined => {
  const speaks = `The agent speaks protocol ${protocol}, this coordinator`;
  if (protocol > protocolVersion)
    return { message: `${speaks} ${protocolVersion} at most: upgrade it first`, retry: true };
  if (protocol < oldestProtocol)
    return { message: `${speaks} ${oldestProtocol} at least: upgrade the agent`, retry: true };
  return undefined;
};

/** Characters of what is kept of a node: its name, folders, tools and machine. */
const maxProfileCharacters = 256_000;
/** Nodes that may be enrolled at a time, revoked ones not counted. */
export const maxNodes = 5000;

/** What each node may cost the store, and how many may come by a token that went around. */
const findExcess = (farm: Nodes, hello: Hello): Refusal | undefined => {
  const { length } = JSON.stringify(buildProfile(hello));
  if (length > maxProfileCharacters) {
    const message = `The agent describes itself in ${length} characters, and ${maxProfileCharacters} are the limit`;
    return { message: `${message}: give it fewer folders or shorter names`, retry: false };
  }
  if (!("joinToken" in hello.credentials)) return undefined;
  const count = farm.registry.rows().filter(({ revoked }) => revoked === null).length;
  return count < maxNodes ? undefined : full;
};

const full: Refusal = {
  message: `The farm has ${maxNodes} nodes, which is its limit: revoke those that are gone, and replace the join token if you do not know them all`,
  retry: true,
};

const unknown: Refusal = { message: "The farm does not know this node, or its key is wrong", retry: true };
const revoked: Refusal = { message: "The farm has revoked this node", retry: false, reason: "revoked" };
/** The connected one keeps its place: two that took turns would take each other's work away for ever. */
const twin: Refusal = {
  message:
    "Another agent with this identity is connected: was its data folder copied? It may come once that one is gone",
  retry: true,
  reason: "twin",
};

const recognise = (farm: Nodes, draft: Transaction, hello: Hello): NodeRow | Refusal => {
  const { credentials, instance } = hello;
  const now = farm.clock.now();
  if ("joinToken" in credentials) return unknown; // those are enrolled
  const known = draft.node(credentials.nodeId);
  if (!known || !isEqualText(known.keyHash, hashSecret(new Secret(credentials.nodeKey)))) return unknown;
  if (known.revoked !== null) return revoked;
  if (farm.registry.hasTwin(known.id, instance, farm.clock.monotonic())) return twin;
  farm.registry.forget(known.id)?.close(); // what it is given from now on goes to the new connection
  const profile = buildProfile(hello);
  const isSame = known.left === null && isNotedOf(known, now) && isDeepStrictEqual(profile, known.profile);
  return isSame ? known : draft.setNode(known, { profile, lastSeen: now, left: null });
};

const newNode = (hello: Hello, keyHash: string, now: number, { by, isPending }: JoinPass): Omit<NodeRow, "id"> => ({
  keyHash,
  state: isPending ? "pending" : "active",
  profile: buildProfile(hello),
  ownTags: null,
  ownSlots: null,
  enrolled: now,
  joinedBy: by,
  lastSeen: now,
  left: null,
  lost: null,
  revoked: null,
  health: soundHealth,
  group: null,
});

const buildProfile = ({ name, platform, tags, slots, roots, mounts, tools, machine }: Hello): NodeProfile => ({
  name,
  platform,
  tags,
  slots,
  roots,
  mounts,
  tools,
  machine,
});

/** Attempts that both sides hold go on; those that only the store holds are lost. The agent drops the others. */
const reconcile = (farm: Nodes, draft: Transaction, nodeId: number, { attempts }: Hello) => {
  const held = new Set(attempts.map(({ fence }) => fenceKey(fence)));
  const own = farm.values.openAttempts().filter((attempt) => attempt.node_id === nodeId);
  const { kept = [], lost = [] } = Object.groupBy(own, (each) => (held.has(fenceKey(fenceOf(each))) ? "kept" : "lost"));
  for (const attempt of lost) loseAttempt(farm, draft, attempt, "its node came back without it", { isDeath: true });
  return kept.map(fenceOf);
};
