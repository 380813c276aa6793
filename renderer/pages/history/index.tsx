import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { DeedAction, DeedLine } from "../../../shared/deed.ts";
import { type StateName, states } from "../../../shared/state/labels.ts";
import { useNow } from "../../data/link.ts";
import { deedsQuery } from "../../data/queries.ts";
import { deedWords } from "../../language/deeds.ts";
import { classes } from "../../ui/classes.ts";
import { Failed } from "../../ui/failed.tsx";
import { minuteTime, otherDay } from "../../ui/format.ts";
import { Glyph } from "../../ui/glyph.tsx";
import { Empty, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Segments } from "../../ui/segmented.tsx";
import stateCss from "../../ui/state.module.css";
import { Words } from "../../ui/words.tsx";
import css from "./history.module.css";

/** Who did what to jobs and nodes, newest first. */
export const HistoryPage = () => {
  const { data: deeds, error, refetch } = useQuery(deedsQuery);
  const now = useNow();
  const [kind, setKind] = useState<Kind>("all");
  const shown = deeds?.filter(({ action }) => kind === "all" || (action === "submit") === (kind === "submissions"));
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
        {!deeds && !error && <Loading what={t`the history`} />}
        {shown?.length === 0 && <Empty title={emptyWords[kind]} />}
        {daysOf(shown ?? [], now).map(([day, list]) => (
          <section key={day} className={css.day} aria-label={day}>
            <h3>{day}</h3>
            <ul className={css.list}>
              {list.map((deed, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two deeds may be the same in every word
                <Line key={`${deed.at} ${index}`} deed={deed} />
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

const Line = ({ deed }: { readonly deed: DeedLine }) => (
  <li>
    <time dateTime={deed.at}>{minuteTime(Date.parse(deed.at))}</time>
    <span className={classes(stateCss.state, stateCss[states[looks[deed.action]].hue])}>
      <Glyph state={looks[deed.action]} size={14} />
    </span>
    <Subject deed={deed} />
    <Words text={deedWords(deed)} wraps isOurs />
  </li>
);

const Subject = ({ deed: { job_id, node_id, subject } }: { readonly deed: DeedLine }) => {
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
const looks: Readonly<Record<DeedAction, StateName>> = {
  submit: "queued",
  stop: "stopped",
  pause: "paused",
  resume: "running",
  retry: "retrying",
  change: "idle",
  priority: "idle",
  activate: "working",
  drain: "draining",
  pause_node: "paused",
  change_node: "idle",
};

/** The days of these deeds, the latest first, with a name each. */
const daysOf = (deeds: readonly DeedLine[], now: number): (readonly [string, readonly DeedLine[]])[] => [
  ...Map.groupBy(deeds, ({ at }) => otherDay(at, now) ?? t`Today`),
];
