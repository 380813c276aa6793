import type { ComputeGroup } from "../../shared/compute-group.ts";
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
  /** The compute group it belongs to. */
  readonly group: ComputeGroup | null;
};

export type HealthRow = {
  readonly state: NodeHealth;
  /** From when on its failures count, in the farm's time: its last quarantine, or when it was forgiven; and until when it is taken out. */
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
  readonly compute_group: string | null;
  readonly provided_tags: string | null;
  readonly mandatory_tags: string | null;
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
    group:
      raw.compute_group === null
        ? null
        : {
            name: raw.compute_group,
            provided_tags: JSON.parse(raw.provided_tags ?? "[]"),
            mandatory_tags: JSON.parse(raw.mandatory_tags ?? "[]"),
          },
  };
};

const rows =
  "SELECT nodes.*, provided_tags, mandatory_tags FROM nodes LEFT JOIN compute_groups ON name = compute_group";

export type NodeUpdate = {
  readonly state?: NodeState | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly slots?: number | undefined;
  /** Null: of no group. */
  readonly group?: string | null | undefined;
};

export const createNodeStore = ({ writer }: Db) => {
  const insert = writer.prepare<unknown[], Raw>(
    "INSERT INTO nodes (key_hash, state, hello, enrolled, last_seen) VALUES (?, 'active', ?, ?, ?) RETURNING *",
  );
  const get = writer.prepare<[number], Raw>(`${rows} WHERE id = ? AND revoked IS NULL`);
  const all = writer.prepare<[], Raw>(`${rows} WHERE revoked IS NULL ORDER BY id`);
  const revoked = writer.prepare<[number], { key_hash: string }>(
    "SELECT key_hash FROM nodes WHERE id = ? AND revoked IS NOT NULL",
  );
  const revoke = writer.prepare("UPDATE nodes SET revoked = ? WHERE id = ?");
  const greet = writer.prepare("UPDATE nodes SET hello = ?, last_seen = ? WHERE id = ?");
  const seen = writer.prepare("UPDATE nodes SET last_seen = ? WHERE id = ?");
  const update = writer.prepare(
    `UPDATE nodes SET state = coalesce(@state, state), tags = coalesce(@tags, tags), slots = coalesce(@slots, slots),
       compute_group = CASE WHEN @setsGroup THEN @group ELSE compute_group END WHERE id = @id`,
  );
  const setHealth = writer.prepare(
    `UPDATE nodes SET health = @state, health_since = @since, health_until = @until, health_why = @why,
       strikes = @strikes WHERE id = @id`,
  );
  const forgive = writer.prepare("UPDATE nodes SET health_since = ?, strikes = 0 WHERE id = ?");

  return {
    insert: (keyHash: string, profile: NodeProfile, now: number): NodeRow =>
      read(insert.get(keyHash, JSON.stringify(profile), now, now) as Raw), // RETURNING gives the one row
    get: (id: number): NodeRow | undefined => {
      const raw = get.get(id);
      return raw && read(raw);
    },
    revoke: (id: number, now: number): void => {
      revoke.run(now, id);
    },
    /** The hash of a revoked node's key. */
    revokedKeyHash: (id: number): string | undefined => revoked.get(id)?.key_hash,
    all: (): NodeRow[] => all.all().map(read),
    greet: (id: number, profile: NodeProfile, now: number): void => {
      greet.run(JSON.stringify(profile), now, id);
    },
    setHealth: (id: number, health: HealthRow): void => {
      setHealth.run({ id, ...health });
    },
    /** Its failures count from now on. */
    forgive: (id: number, now: number): void => {
      forgive.run(now, id);
    },
    seen: (id: number, now: number): void => {
      seen.run(now, id);
    },
    /** What is absent stays. */
    update: (id: number, { state, tags, slots, group }: NodeUpdate): void => {
      update.run({
        id,
        state: state ?? null,
        tags: tags ? JSON.stringify(tags) : null,
        slots: slots ?? null,
        setsGroup: group === undefined ? 0 : 1,
        group: group ?? null,
      });
    },
  };
};
