import { useState } from "react";
import type { Node } from "../../../shared/node.ts";
import { nodeStateName, states } from "../../../shared/state/labels.ts";
import { useActions } from "../../data/actions.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/button.tsx";
import { bytes, shortTime } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { Words } from "../../ui/words.tsx";
import { NodeSettings } from "./node-settings.tsx";
import css from "./nodes.module.css";

/** All that is known of one node, and, for owners, how to be rid of it. */
export const Details = ({
  node,
  now,
  onClose,
}: {
  readonly node: Node;
  readonly now: number;
  readonly onClose: () => void;
}) => {
  const mayChange = useMay("operator");
  const isOwner = useMay("owner");
  const [isRevoking, setRevoking] = useState(false);
  const given: readonly Fact[] = [
    ["Tags", node.tags.join(", ") || "none"],
    ["Group", node.group ?? "none"],
  ];
  return (
    <div className={css.details}>
      <dl>
        {[...factsOf(node, now), ...(mayChange ? [] : given)].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Words text={value} wraps />
            </dd>
          </div>
        ))}
      </dl>
      {mayChange && <NodeSettings key={node.id} node={node} />}
      {isRevoking && <Revocation node={node} onDone={onClose} />}
      <div className={css.answers}>
        {isOwner && !isRevoking && <Button onClick={() => setRevoking(true)}>Revoke…</Button>}
        <Button hint="Esc" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
};

type Fact = readonly [name: string, value: string];

const factsOf = (node: Node, now: number): readonly Fact[] => [
  ["State", `${states[nodeStateName(node)].word}: ${states[nodeStateName(node)].means}`],
  ...(node.health.why ? [["Why", `${node.health.why}; until ${shortTime(node.health.until, now)}`] as const] : []),
  ["Machine", `${node.machine.cpu}, ${node.machine.cores} cores, ${bytes(node.machine.memory)}`],
  ["System", `${node.machine.os} (${node.platform})`],
  ["ffmpeg", node.ffmpeg ? `${node.ffmpeg.version}, ${node.ffmpeg.path}` : "none"],
  ["Folders", node.roots.join("\n") || "none"],
  ["Mounts", node.mounts.map(({ prefix, folder }) => `${prefix} → ${folder}`).join("\n") || "none"],
  ["Enrolled", shortTime(node.enrolled, now)],
];

/** Asked for twice: nothing brings the key back. */
const Revocation = ({ node, onDone }: { readonly node: Node; readonly onDone: () => void }) => {
  const { revokeNode } = useActions();
  const revoke = async () => {
    if (await revokeNode(node)) onDone();
  };
  return (
    <Notice tone="failed" action={<Button onClick={() => void revoke()}>Revoke for good</Button>}>
      Its key opens nothing more, and what it runs goes to others. It may join again, as a new node.
    </Notice>
  );
};
