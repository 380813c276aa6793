import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Link } from "@tanstack/react-router";
import { useMay } from "../../data/session.tsx";
import { stateWord } from "../../language/words.ts";
import buttonCss from "../../ui/controls/button.module.css";
import { classes } from "../../ui/text/classes.ts";
import { Empty } from "../../ui/text/notice.tsx";
import type { JobsSearch } from "./search.ts";

/** Why the list is empty: nothing was sent yet, or nothing fits the filter. */
export const NoJobs = ({ state, owner, text }: JobsSearch) => {
  const maySubmit = useMay("operator");
  if (state === undefined && text === undefined && owner === undefined) {
    return (
      <Empty title={t`No jobs yet.`}>
        <p>{maySubmit ? t`Send one to the API, or submit one here.` : t`An operator can submit one.`}</p>
        {maySubmit && (
          <Link to="/submit" className={classes(buttonCss.button, buttonCss.primary)}>
            <Trans>Submit a job</Trans>
          </Link>
        )}
      </Empty>
    );
  }
  return (
    <Empty
      title={
        owner === undefined ? noneWords(state && stateWord(state), text?.slice(0, 80)) : t`No job fits the filters.`
      }
    >
      <Link to="/jobs" search={{}}>
        <Trans>Clear the filter</Trans>
      </Link>
    </Empty>
  );
};

const noneWords = (state: string | undefined, text: string | undefined): string => {
  if (state === undefined) return t`No job has “${text ?? ""}” in its name, tag, owner, id, error, files or nodes.`;
  if (text === undefined) return t`No job is ${state}.`;
  return t`No job is ${state} and has “${text}” in its name, tag, owner, id, error, files or nodes.`;
};
