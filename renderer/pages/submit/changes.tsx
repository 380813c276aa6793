import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Panel } from "../../ui/layout/panel.tsx";
import { Words } from "../../ui/text/words.tsx";
import { changesBetween } from "./job-fields.ts";
import css from "./submit.module.css";

const most = 100;

/** What is different from the job that it came from: field, before, after. */
export const Changes = ({
  jobId,
  before,
  after,
}: {
  readonly jobId: string;
  readonly before: object;
  readonly after: object;
}) => {
  const changes = changesBetween(before, after);
  return (
    <Panel
      title={t`Changed against job ${jobId}`}
      count={plural(changes.length, { one: "# field", other: "# fields" })}
    >
      {changes.length === 0 ? (
        <p className={css.good}>
          <Trans>Nothing yet: it would run as it did before.</Trans>
        </p>
      ) : (
        <table className={css.changes}>
          <thead>
            <tr>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Before`}</th>
              <th scope="col">{t`After`}</th>
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, most).map(({ path, before: old, after: now }) => (
              <tr key={path}>
                <th scope="row">
                  <Words text={path} wraps />
                </th>
                <td>{old === undefined ? <Trans>none</Trans> : <Words text={old} wraps />}</td>
                <td>{now === undefined ? <Trans>removed</Trans> : <Words text={now} wraps />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {changes.length > most && (
        <p className={css.good}>
          <Trans>and {changes.length - most} more</Trans>
        </p>
      )}
    </Panel>
  );
};
