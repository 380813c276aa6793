import { causes } from "../../../shared/causes.ts";
import type { UiJob } from "../../../shared/job-view.ts";
import { jobStateName } from "../../../shared/state/labels.ts";
import { Notice } from "../../ui/notice.tsx";
import { Words } from "../../ui/words.tsx";
import css from "./job.module.css";

/** The log has all of it. */
const longestMessage = 600;
const cut = (text: string): string => (text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text);

/** What went wrong, where, and what can be done; what the job said that nobody reads. */
export const Faults = ({ view }: { readonly view: UiJob }) => {
  const { info, elements, warnings } = view;
  const failed = elements.filter(({ failure }) => failure !== null);
  const isStopped = jobStateName(info) === "stopped";
  return (
    <div className={css.faults}>
      {isStopped && <p className={css.quiet}>Stopped by a person. Finished outputs stay.</p>}
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
            : <Words text={cut(failure?.message ?? "")} wraps />
            {failure && <p className={css.advice}>{causes[failure.cause].advice}</p>}
          </Notice>
        ))}
      {warnings.length > 0 && (
        <Notice tone="late">
          <ul className={css.warnings}>
            {warnings.slice(0, 20).map((warning) => (
              <li key={warning}>
                <Words text={warning} wraps />
              </li>
            ))}
            {warnings.length > 20 && <li>and {warnings.length - 20} more</li>}
          </ul>
        </Notice>
      )}
    </div>
  );
};
