import type { Hello } from "../../shared/protocol.ts";
import type { NodeHealth, NodeState } from "../../shared/state/node.ts";
import type { Db } from "./open.ts";

/** What a node says of itself, without what proves who it is. */
export type NodeProfile = Omit<Hello, "type" | "protocol" | "credentials" | "attempts">;

export type NodeRow = {
  readonly id: number;
  readonly keyHash: string;
  readonly state: NodeState;
  readonly profile: NodeProfile;
  /** What holds: an operator's word before the agent's. */
  readonly tags: readonly string[];
  readonly slots: number;
  readonly enrolled: number;
  readonly lastSeen: number;
  readonly health: HealthRow;
};

export type HealthRow = {
  readonly state: NodeHealth;
  /** When it was last quarantined, and until when. */
  readonly since: number | null;
  readonly until: number;
  readonly why: string | null;
  /** Quarantines, one soon after the other. */
  readonly strikes: number;
};

type Raw = {
  readonly id: number;
  readonly key_hash: string;
  readonly state: NodeState;
  readonly hello: string;
  readonly tags: string | null;
  readonly slots: number | null;
  readonly enrolled: number;
  readonly last_seen: number;
  readonly health: NodeHealth;
  readonly health_since: number | null;
  readonly health_until: number | null;
  readonly health_why: string | null;
  readonly strikes: number;
};

const read = (raw: Raw): NodeRow => {
  const profile: NodeProfile = JSON.parse(raw.hello);
  return {
    id: raw.id,
    keyHash: raw.key_hash,
    state: raw.state,
    profile,
    tags: raw.tags === null ? profile.tags : JSON.parse(raw.tags),
    slots: raw.slots ?? profile.slots,
    enrolled: raw.enrolled,
    lastSeen: raw.last_seen,
    health: {
      state: raw.health,
      since: raw.health_since,
      until: raw.health_until ?? 0,
      why: raw.health_why,
      strikes: raw.strikes,
    },
  };
};

export const createNodeStore = ({ writer }: Db) => {
  const insert = writer.prepare<unknown[], Raw>(
    "INSERT INTO nodes (key_hash, state, hello, enrolled, last_seen) VALUES (?, 'active', ?, ?, ?) RETURNING *",
  );
  const get = writer.prepare<[number], Raw>("SELECT * FROM nodes WHERE id = ? AND revoked IS NULL");
  const all = writer.prepare<[], Raw>("SELECT * FROM nodes WHERE revoked IS NULL ORDER BY id");
  const greet = writer.prepare("UPDATE nodes SET hello = ?, last_seen = ? WHERE id = ?");
  const seen = writer.prepare("UPDATE nodes SET last_seen = ? WHERE id = ?");
  const update = writer.prepare(
    "UPDATE nodes SET state = coalesce(?, state), tags = coalesce(?, tags), slots = coalesce(?, slots) WHERE id = ?",
  );
  const setHealth = writer.prepare(
    `UPDATE nodes SET health = @state, health_since = @since, health_until = @until, health_why = @why,
       strikes = @strikes WHERE id = @id`,
  );

  return {
    insert: (keyHash: string, profile: NodeProfile, now: number): NodeRow =>
      read(insert.get(keyHash, JSON.stringify(profile), now, now) as Raw), // RETURNING gives the one row
    get: (id: number): NodeRow | undefined => {
      const raw = get.get(id);
      return raw && read(raw);
    },
    all: (): NodeRow[] => all.all().map(read),
    greet: (id: number, profile: NodeProfile, now: number): void => {
      greet.run(JSON.stringify(profile), now, id);
    },
    setHealth: (id: number, health: HealthRow): void => {
      setHealth.run({ id, ...health });
    },
    seen: (id: number, now: number): void => {
      seen.run(now, id);
    },
    update: (id: number, change: { state?: NodeState; tags?: readonly string[]; slots?: number }): void => {
      update.run(change.state ?? null, change.tags ? JSON.stringify(change.tags) : null, change.slots ?? null, id);
    },
  };
};
