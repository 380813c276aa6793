import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useNow } from "../../data/link.ts";
import { explainQuery } from "../../data/queries.ts";
import { withShortTimes } from "../../ui/format.ts";
import { Panel } from "../../ui/panel.tsx";
import { Words } from "../../ui/words.tsx";
import { remedyOf } from "./remedy.ts";
import css from "./why.module.css";

/** More nodes than this are numbers only. */
const mostNodes = 20;

/** Why the chosen task waits: a sentence, and what keeps each node from it. */
export const Why = ({ taskId }: { readonly taskId: string }) => {
  const { data } = useQuery(explainQuery(taskId));
  const now = useNow();
  if (!data?.is_waiting) return null;
  const remedy = remedyOf(data);
  const nodes = data.nodes.slice(0, mostNodes);
  const left = data.node_count - nodes.length;
  return (
    <Panel title="Why it waits" className={css.why} aid={remedy && <Link to={remedy.to}>{remedy.word}</Link>}>
      <p className={css.summary}>
        <Words text={withShortTimes(data.summary, now)} wraps />
      </p>
      <ul className={css.nodes}>
        {nodes.map(({ node_id, name, reasons }) => (
          <li key={node_id}>
            <Words text={name} className={css.name} />
            <Words
              text={withShortTimes(reasons.map(({ message }) => message).join("; "), now) || "Could take it now"}
              wraps
            />
          </li>
        ))}
        {left > 0 && <li>and {left} more</li>}
      </ul>
    </Panel>
  );
};
