import type { NodePace } from "../../../shared/api/node-view.ts";
import type { Node } from "../../../shared/model/node.ts";
import { lendingText } from "../../language/lending.ts";

/** What a list of nodes can be sorted by. */
export const nodeSorts = ["name", "speed", "failures", "memory", "seen"] as const;
export type NodeSort = (typeof nodeSorts)[number];

type Paces = ReadonlyMap<string, NodePace>;
type Value = number | string | null;

const sortValue: Readonly<Record<NodeSort, (node: Node, pace: NodePace | undefined) => Value>> = {
  name: ({ name }) => name,
  speed: (_node, pace) => pace?.speed ?? null,
  failures: (_node, pace) => pace?.failed ?? null,
  memory: ({ machine }) => machine.memory,
  seen: ({ last_seen }) => last_seen,
};

/** Nodes by one value; those of which it is not known come last, whatever the order. */
export const sortNodes = (
  nodes: readonly Node[],
  paces: Paces,
  { sort, order = "asc" }: { readonly sort?: NodeSort | undefined; readonly order?: "asc" | "desc" | undefined },
): readonly Node[] => {
  if (sort === undefined) return nodes;
  const keyed = nodes.map((node) => ({ node, value: sortValue[sort](node, paces.get(node.id)) }));
  const sign = order === "asc" ? 1 : -1;
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return sign * compare(a.value, b.value);
  });
  return keyed.map(({ node }) => node);
};

const byName = new Intl.Collator(undefined, { numeric: true });
const compare = (a: number | string, b: number | string): number =>
  typeof a === "number" && typeof b === "number" ? a - b : byName.compare(String(a), String(b));

/** Nodes in whose words all words of the text occur: names, tags, group, machine, versions, programs, people. */
export const searchNodes = (nodes: readonly Node[], paces: Paces, text: string | undefined): readonly Node[] => {
  const words = (text ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return nodes;
  return nodes.filter((node) => {
    const pace = paces.get(node.id);
    if (pace && pace.has.length > 0) return true;
    const own = wordsOf(node, pace).join("\n").toLowerCase();
    return words.every((word) => own.includes(word));
  });
};

const wordsOf = ({ id, name, tags, group, machine, platform, ffmpeg, lending }: Node, pace: NodePace | undefined) => [
  ...[id, name, ...tags, group ?? "", machine.cpu, machine.os, platform],
  ffmpeg ? `ffmpeg ${ffmpeg.version}` : "", // untranslated: a name
  lending?.takes === false ? `${lending.why}\n${lendingText(lending)}` : "",
  ...(pace?.owners ?? []),
];

/** From this much on people are told that a node differs from its kind. */
const telling = 0.15;

/** How much slower than its kind a node is, as a share of one; negative: faster. Undefined: not known, or as usual. */
export const behindKind = (pace: Pick<NodePace, "kind"> | undefined): number | undefined => {
  if (!pace?.kind) return undefined;
  const behind = 1 - pace.kind.speed;
  return Math.abs(behind) < telling ? undefined : behind;
};

/** The nodes that are much slower than those like them, the slowest first. */
export const slowNodes = (nodes: readonly Node[], paces: Paces): readonly Node[] =>
  nodes
    .flatMap((node) => {
      const behind = behindKind(paces.get(node.id)) ?? 0;
      return behind >= 0.25 ? [{ node, behind }] : [];
    })
    .sort((a, b) => b.behind - a.behind)
    .map(({ node }) => node);
