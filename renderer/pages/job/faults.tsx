import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import type { UiJob } from "../../../shared/api/job-view.ts";
import type { Cause } from "../../../shared/model/failure.ts";
import { jobStateName } from "../../../shared/model/state-labels.ts";
import { usefulEnd } from "../../../shared/texts/useful-error-end.ts";
import { useActions } from "../../data/actions.ts";
import { useMay } from "../../data/session.tsx";
import { auditWords } from "../../language/audit.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./job.module.css";
import { suggestNextStep } from "./next-steps.ts";
import { Warnings } from "./warnings.tsx";

/** The log has the full text. */
const longestMessage = 600;
const cut = (text: string): string => (text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text);

/** What failed, where, and what to do about it; and the job's warnings about ignored fields. */
export const Faults = ({ view }: { readonly view: UiJob }) => {
  const { info, elements, warnings } = view;
  const failed = elements.filter(({ failure }) => failure !== null);
  const isStopped = jobStateName(info) === "stopped";
  const stopped = view.history.find(({ action }) => action === "stop");
  return (
    <div className={css.faults}>
      {isStopped && (
        <p className={css.quiet}>
          <Words text={stopped ? `${auditWords(stopped)}.` : t`Stopped.`} isOurs wraps />{" "}
          <Trans>Finished outputs stay. A retry continues where it stopped.</Trans>
        </p>
      )}
      {!isStopped && info.error !== null && failed.length === 0 && (
        <Notice tone="failed">
          <Words text={cut(info.error)} wraps />
        </Notice>
      )}
      {!isStopped &&
        failed.map(({ uid, name, failure }) => (
          <Notice key={uid} tone="failed">
            <b>
              <Words text={name || uid} wraps />
            </b>
            : <Words text={cut(usefulEnd(failure?.message ?? ""))} wraps />
            {failure && <NextStep view={view} uid={uid} cause={failure.cause} />}
          </Notice>
        ))}
      <Warnings warnings={warnings} />
    </div>
  );
};

/** What to do about a failure, by its cause, and the button that does it. */
const NextStep = ({ view, uid, cause }: { readonly view: UiJob; readonly uid: string; readonly cause: Cause }) => {
  const actions = useActions();
  const mayChange = useMay("operator");
  const { advice, offer, mends } = suggestNextStep(cause);
  const task = view.tasks.find((each) => each.element_uid === uid && each.status === "failed");
  const clone = { to: "/submit", search: { from: view.info.id } } as const;
  return (
    <div className={css.advice}>
      <span>{advice}</span>
      {mayChange && task && offer !== undefined && (
        <Button onClick={() => void actions.retryTask(task.id)}>{offer}</Button>
      )}
      {mayChange && mends === "job" && (
        <Link {...clone}>
          <Trans>Clone and edit the job</Trans>
        </Link>
      )}
      {mends === "nodes" && (
        <Link to="/nodes">
          <Trans>Go to Nodes</Trans>
        </Link>
      )}
    </div>
  );
};
