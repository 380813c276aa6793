import { plural, t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import type { NodePace } from "../../../shared/api/node-view.ts";
import type { Node } from "../../../shared/model/node.ts";
import { paceWords } from "../../language/pace.ts";
import { Words } from "../../ui/text/words.tsx";
import { slowNodes } from "./node-order.ts";
import css from "./nodes.module.css";

/** The slowest node that should be faster, in a sentence, and how many others there are. */
export const SlowNodes = ({
  nodes,
  paces,
}: {
  readonly nodes: readonly Node[];
  readonly paces: ReadonlyMap<string, NodePace>;
}) => {
  const [first, ...others] = slowNodes(nodes, paces);
  const words = paceWords(paces.get(first?.id ?? ""));
  if (!first || words === undefined) return null;
  return (
    <p className={css.slow}>
      <Link to="/nodes/$nodeId" params={{ nodeId: first.id }}>
        <Words text={first.name} className={css.title} />
      </Link>
      <span>{words}.</span>
      {others.length > 0 && (
        <Link to="/nodes" search={(old: object) => ({ ...old, sort: "speed", order: "asc" })}>
          {plural(others.length, { one: "# more node is slow", other: "# more nodes are slow" })}
        </Link>
      )}
      {others.length === 0 && nodes.length > 1 && (
        <Link to="/nodes" search={(old: object) => ({ ...old, sort: "speed", order: "asc" })}>
          {t`Sort by speed`}
        </Link>
      )}
    </p>
  );
};
