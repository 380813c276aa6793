import type { JoinTokenInfo } from "../../shared/credentials/join-tokens.ts";
import { isoOrNull, isoTime } from "../iso-time.ts";
import type { Nodes } from "../nodes/nodes.ts";
import type { NodeRow } from "../store/rows.ts";

/** A token with limits as it is kept. */
type Kept = Pick<JoinTokenInfo, "name" | "uses" | "used" | "approval" | "end"> & {
  readonly id: string;
  readonly expires: number | null;
  readonly created: number;
  readonly by: string;
};

const own = { uses: null, expires: null, approval: false, created: null, by: null, end: null } as const;

/** All join tokens, the farm's own first, with what came in by each; nodes that were revoked are not among it. */
export const listJoinTokens = ({ registry }: Pick<Nodes, "registry">, kept: readonly Kept[]): JoinTokenInfo[] => {
  const rows = registry.rows().filter(({ revoked }) => revoked === null);
  const by = (id: string | null) => rows.filter(({ joinedBy }) => joinedBy === id).map(nodeOf);
  const [farms, earlier] = [by("farm"), by(null)];
  return [
    { id: "farm", name: "", ...own, used: farms.length, nodes: farms },
    ...kept.map(({ id, name, uses, used, approval, end, ...token }) => ({
      ...{ id, name, uses, used, approval, end, nodes: by(id) },
      ...{ expires: isoOrNull(token.expires), created: isoTime(token.created), by: token.by },
    })),
    ...(earlier.length > 0 ? [{ id: null, name: "", ...own, used: earlier.length, nodes: earlier }] : []),
  ];
};

const nodeOf = ({ id, profile, state, enrolled }: NodeRow): JoinTokenInfo["nodes"][number] => ({
  ...{ id: String(id), name: profile.name, state, enrolled: isoTime(enrolled) },
});
