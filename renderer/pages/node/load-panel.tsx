import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import type { Node } from "../../../shared/model/node.ts";
import { loadsQuery } from "../../data/queries.ts";
import { Meter } from "../../ui/charts/bar.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { bytes, percentage } from "../../ui/text/format.ts";
import { Empty } from "../../ui/text/notice.tsx";
import css from "./node.module.css";

/** How busy the machine is, from its last heartbeat. */
export const LoadPanel = ({ node }: { readonly node: Node }) => {
  const { data } = useQuery(loadsQuery);
  const use = data?.get(node.id);
  if (!use) return node.presence === "online" && !data ? null : <Quiet />;
  const rows = [
    [t`CPU`, use.cpu, plural(node.machine.cores, { one: "of # core", other: "of # cores" })],
    [t`Memory`, use.memory, t`of ${bytes(node.machine.memory)}`],
    [t`Fullest disk`, use.disk, t`in use`],
    [t`GPU`, use.gpu, t`the busiest`],
  ] as const;
  return (
    <Panel title={t`Load`} count={t`now`}>
      <dl className={css.loads}>
        {rows.map(([word, percent, of]) =>
          percent === null ? null : (
            <div key={word}>
              <dt>{word}</dt>
              <dd>
                <Meter percent={percent} label={word} />
              </dd>
              <dd>
                {percentage(percent)} {of}
              </dd>
            </div>
          ),
        )}
      </dl>
    </Panel>
  );
};

const Quiet = () => (
  <Panel title={t`Load`}>
    <Empty title={t`It does not report its load now.`} />
  </Panel>
);
