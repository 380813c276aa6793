import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type StateName, states } from "../../../shared/model/state-labels.ts";
import type { AuditAction, AuditLine } from "../../../shared/people/audit.ts";
import { useNow } from "../../data/link.ts";
import { historyQuery } from "../../data/queries.ts";
import { auditWords } from "../../language/audit.ts";
import { Failed } from "../../ui/controls/failed.tsx";
import { Segments } from "../../ui/controls/segmented.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { classes } from "../../ui/text/classes.ts";
import { minuteTime, otherDay } from "../../ui/text/format.ts";
import { Glyph } from "../../ui/text/glyph.tsx";
import { Empty, Loading } from "../../ui/text/notice.tsx";
import stateCss from "../../ui/text/state.module.css";
import { Words } from "../../ui/text/words.tsx";
import css from "./history.module.css";

/** Who did what to jobs and nodes, newest first. */
export const HistoryPage = () => {
  const { data: entries, error, refetch } = useQuery(historyQuery);
  const now = useNow();
  const [kind, setKind] = useState<Kind>("all");
  const shown = entries?.filter(({ action }) => kind === "all" || (action === "submit") === (kind === "submissions"));
  return (
    <Page title={t`History`}>
      <Panel
        title={t`What people and programs did`}
        count={shown?.length}
        aid={
          <Segments<Kind>
            label={t`What to show`}
            choices={[
              ["all", t`Everything`],
              ["actions", t`Actions`],
              ["submissions", t`Submissions`],
            ]}
            chosen={kind}
            onChoose={setKind}
          />
        }
      >
        {error && <Failed error={error} onAgain={() => void refetch()} />}
        {!entries && !error && <Loading what={t`the history`} />}
        {shown?.length === 0 && <Empty title={emptyWords[kind]} />}
        {daysOf(shown ?? [], now).map(([day, list]) => (
          <section key={day} className={css.day} aria-label={day}>
            <h3>{day}</h3>
            <ul className={css.list}>
              {list.map((entry, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same in every word
                <Line key={`${entry.at} ${index}`} entry={entry} />
              ))}
            </ul>
          </section>
        ))}
      </Panel>
    </Page>
  );
};

type Kind = "all" | "actions" | "submissions";

const emptyWords: Readonly<Record<Kind, string>> = {
  all: t`Nothing yet: submissions, stops, pauses, retries and drains appear here.`,
  actions: t`No actions yet: stops, pauses, retries and drains appear here.`,
  submissions: t`No submissions yet.`,
};

const Line = ({ entry }: { readonly entry: AuditLine }) => (
  <li>
    <time dateTime={entry.at}>{minuteTime(Date.parse(entry.at))}</time>
    <span className={classes(stateCss.state, stateCss[states[looks[entry.action]].hue])}>
      <Glyph state={looks[entry.action]} size={14} />
    </span>
    <Subject entry={entry} />
    <Words text={auditWords(entry)} wraps isOurs />
  </li>
);

const Subject = ({ entry: { job_id, node_id, subject } }: { readonly entry: AuditLine }) => {
  if (job_id !== null)
    return (
      <Link to="/jobs/$jobId" params={{ jobId: job_id }} search={{}} className={css.subject}>
        <Words text={subject ?? t`Job ${job_id}`} />
      </Link>
    );
  if (node_id === null) return <span />;
  return (
    <Link to="/nodes/$nodeId" params={{ nodeId: node_id }} className={css.subject}>
      <Words text={subject ?? t`Node ${node_id}`} />
    </Link>
  );
};

/** The state that an action leads to, whose glyph stands for it. */
const looks: Readonly<Record<AuditAction, StateName>> = {
  submit: "queued",
  stop: "stopped",
  pause: "paused",
  resume: "running",
  retry: "retrying",
  change: "idle",
  priority: "idle",
  undo: "idle",
  activate: "working",
  drain: "draining",
  pause_node: "paused",
  change_node: "idle",
};

/** The days of these entries, the latest first, with a name each. */
const daysOf = (entries: readonly AuditLine[], now: number): (readonly [string, readonly AuditLine[]])[] => [
  ...Map.groupBy(entries, ({ at }) => otherDay(at, now) ?? t`Today`),
];
