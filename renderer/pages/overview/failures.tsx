import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { FailureGroup } from "../../../shared/api/overview.ts";
import { translated } from "../../language/words.ts";
import { Panel } from "../../ui/layout/panel.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Empty } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import { wordsOfAll } from "./alike-errors.ts";
import css from "./overview.module.css";

const most = 8;

/** A day's failed attempts, grouped by similar failures, as sentences with their times. */
export const Failures = ({ failures, now }: { readonly failures: readonly FailureGroup[]; readonly now: number }) => {
  const total = failures.reduce((sum, { count }) => sum + count, 0);
  const recovered = failures.reduce((sum, each) => sum + each.recovered, 0);
  return (
    <Panel
      title={t`Failed attempts, by cause`}
      count={total}
      aid={
        recovered > 0 ? (
          <span className={css.quiet}>
            <Trans>{recovered} recovered later</Trans>
          </span>
        ) : undefined
      }
    >
      {failures.length === 0 ? (
        <Empty title={t`No attempt failed within a day.`} />
      ) : (
        <ul className={css.failures}>
          {failures.slice(0, most).map((group) => (
            <Line key={`${group.cause} ${group.message}`} group={group} now={now} />
          ))}
        </ul>
      )}
    </Panel>
  );
};

const Line = ({ group, now }: { readonly group: FailureGroup; readonly now: number }) => {
  const { cause, message, count, nodes, last, parts, recovered } = group;
  const peak = Math.max(1, ...parts);
  const where = [translated(cause), nodes.join(", "), t`last ${shortTime(last, now)}`];
  const what = recovered === count ? t`all recovered` : recovered > 0 ? t`${recovered} recovered` : "";
  return (
    <li>
      <b>{count}</b>
      <div className={css.said}>
        <Words text={message} wraps />
        <p className={css.quiet}>
          <Words text={[...where, ...(what ? [what] : [])].join(" · ").slice(0, 160)} wraps isOurs />{" "}
          <JobsOf group={group} />
        </p>
      </div>
      <span className={css.spark} aria-hidden="true" title={t`The last 24 hours`}>
        {parts.map((value, at) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: hours have no other name
            key={at}
            style={{ height: `${value === 0 ? 1 : Math.max(3, (value / peak) * 22)}px` }}
            data-hit={value > 0 || undefined}
          />
        ))}
      </span>
    </li>
  );
};

/** All that failed so; where some ran on or nothing tells them from others, one of them. */
const JobsOf = ({ group: { message, jobs, job_count, recovered } }: { readonly group: FailureGroup }) => {
  const [first] = jobs;
  const text = wordsOfAll(message);
  const word = plural(job_count, { one: "# job", other: "# jobs" });
  if (job_count > 1 && recovered === 0 && text !== undefined)
    return (
      <Link to="/jobs" search={{ state: "failed", text }}>
        {word}
      </Link>
    );
  if (first === undefined) return null;
  return (
    <Link to="/jobs/$jobId" params={{ jobId: first }} search={{ status: "failed" }}>
      {job_count === 1 ? t`job ${first}` : word}
    </Link>
  );
};
