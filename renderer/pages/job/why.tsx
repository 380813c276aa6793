import { useQuery } from "@tanstack/react-query";
import { explainQuery } from "../../data/queries.ts";
import { Panel } from "../../ui/panel.tsx";
import { Words } from "../../ui/words.tsx";
import css from "./why.module.css";

/** More nodes than this are numbers only. */
const mostNodes = 20;

/** Why the chosen task waits: a sentence, and what keeps each node from it. */
export const Why = ({ taskId }: { readonly taskId: string }) => {
  const { data } = useQuery(explainQuery(taskId));
  if (!data?.is_waiting) return null;
  const nodes = data.nodes.slice(0, mostNodes);
  const left = data.node_count - nodes.length;
  return (
    <Panel title="Why it waits">
      <p className={css.summary}>{data.summary}</p>
      <ul className={css.nodes}>
        {nodes.map(({ node_id, name, reasons }) => (
          <li key={node_id}>
            <Words text={name} className={css.name} />
            <span>{reasons.map(({ message }) => message).join("; ") || "Could take it now"}</span>
          </li>
        ))}
        {left > 0 && <li>and {left} more</li>}
      </ul>
    </Panel>
  );
};
