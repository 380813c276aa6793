import { useQuery } from "@tanstack/react-query";
import type { Node } from "../../../shared/node.ts";
import { loadsQuery } from "../../data/queries.ts";
import { Meter } from "../../ui/bar.tsx";
import { bytes } from "../../ui/format.ts";
import { Empty } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import css from "./node.module.css";

/** How busy the machine is, from its last heartbeat. */
export const LoadPanel = ({ node }: { readonly node: Node }) => {
  const { data } = useQuery(loadsQuery);
  const use = data?.get(node.id);
  if (!use) return node.presence === "online" && !data ? null : <Quiet />;
  const rows = [
    ["CPU", use.cpu, `of ${node.machine.cores} cores`],
    ["Memory", use.memory, `of ${bytes(node.machine.memory)}`],
    ["Fullest disk", use.disk, "in use"],
    ["GPU", use.gpu, "the busiest"],
  ] as const;
  return (
    <Panel title="Load" count="now">
      <dl className={css.loads}>
        {rows.map(([word, percent, of]) =>
          percent === null ? null : (
            <div key={word}>
              <dt>{word}</dt>
              <dd>
                <Meter percent={percent} label={word} />
              </dd>
              <dd>
                {percent} % {of}
              </dd>
            </div>
          ),
        )}
      </dl>
    </Panel>
  );
};

const Quiet = () => (
  <Panel title="Load">
    <Empty title="It does not report its load now." />
  </Panel>
);
