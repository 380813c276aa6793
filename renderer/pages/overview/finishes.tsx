import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { UiJobRow } from "../../../shared/api/job-view.ts";
import type { Overview } from "../../../shared/api/overview.ts";
import { jobStateName } from "../../../shared/model/state-labels.ts";
import { finishWords } from "../../data/activity.ts";
import { countBar } from "../../data/bars.ts";
import { Bar } from "../../ui/charts/bar.tsx";
import { offsetAt, roundTimes } from "../../ui/charts/round-times.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { axisTime } from "../../ui/text/format.ts";
import { Empty } from "../../ui/text/notice.tsx";
import { State } from "../../ui/text/state.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./overview.module.css";

/** The running jobs on one axis of time: a bar covers 80 % of the probability, its tick is the most likely end. */
export const Finishes = ({ overview, now }: { readonly overview: Overview; readonly now: number }) => {
  const jobs = overview.active;
  const ends = jobs.flatMap(({ finish }) => (finish ? [Date.parse(finish.to)] : []));
  const end = Math.max(now + 60_000, ...ends);
  const left = overview.active_count - jobs.length;
  const hours = roundTimes(now, end, 3, offsetAt(now)).map((time) => ({
    at: ((time - now) / (end - now)) * 100,
    word: axisTime(time, now),
  }));
  return (
    <Panel
      title={t`When will it be done`}
      count={t`bar = 8 of 10 chances, tick = most likely`}
      aid={
        left > 0 ? (
          <Link to="/jobs">
            <Trans>and {left} more</Trans>
          </Link>
        ) : undefined
      }
    >
      {jobs.length === 0 ? (
        <Empty title={t`No job runs.`} />
      ) : (
        <ul className={css.finishes}>
          <li aria-hidden="true" className={css.axis}>
            <span />
            <span>
              <Trans>tasks</Trans>
            </span>
            <span className={css.times}>
              <i>
                <Trans>now</Trans>
              </i>
              {hours
                .filter(({ at }) => at > leastApart)
                .map(({ at, word }) => (
                  <i key={at} style={{ left: `${at}%` }}>
                    {word}
                  </i>
                ))}
            </span>
            <span>
              <Trans>finish</Trans>
            </span>
          </li>
          {jobs.map((job) => (
            <Line key={job.id} job={job} now={now} end={end} hours={hours} />
          ))}
        </ul>
      )}
    </Panel>
  );
};

/** Percent of the axis: a word closer to "now" would touch it, in any language. */
const leastApart = 20;

type LineProps = {
  readonly job: UiJobRow;
  readonly now: number;
  readonly end: number;
  readonly hours: readonly { readonly at: number }[];
};

const Line = ({ job, now, end, hours }: LineProps) => {
  const { finish } = job;
  const place = (iso: string) => ((Date.parse(iso) - now) / (end - now)) * 100;
  return (
    <li>
      <Link to="/jobs/$jobId" params={{ jobId: job.id }} search={{}} className={css.job}>
        <State state={jobStateName(job)} word="" />
        <Words text={job.name} />
      </Link>
      <Bar counts={countBar(job)} label={t`Tasks of job ${job.id}`} />
      <span className={css.track}>
        {hours.map(({ at }) => (
          <span key={at} className={css.hour} style={{ left: `${at}%` }} />
        ))}
        {finish && (
          <>
            <span
              className={css.box}
              style={{ left: `${Math.max(0, place(finish.from))}%`, right: `${Math.max(0, 100 - place(finish.to))}%` }}
            />
            <span className={css.tick} style={{ left: `${Math.max(0, Math.min(99.5, place(finish.likely)))}%` }} />
          </>
        )}
      </span>
      <span className={css.end}>{finish ? finishWords(finish, now) : t`unknown`}</span>
    </li>
  );
};
