import { t } from "@lingui/core/macro";
import type { JobGroup, JobGroupCount } from "../../../shared/api/job-view.ts";
import { countsByState } from "../../data/job-states.ts";
import { stateWordInside } from "../../language/words.ts";
import { number } from "../../ui/text/format.ts";
import css from "./jobs.module.css";

const titles: Readonly<Record<JobGroup, string>> = {
  failed: t`Failed in the last 24 hours`,
  active: t`Active`,
  held: t`Held`,
  ended: t`Ended`,
};

/** A group's name, how many jobs it has, and in which states they are. */
export const GroupHeading = ({ group: { group, count, states } }: { readonly group: JobGroupCount }) => {
  const counts = countsByState(states);
  return (
    <span className={css.group}>
      <b>{titles[group]}</b>
      <span>{number(count)}</span>
      {counts.length > 1 && (
        <span className={css.states}>
          {counts.map(([state, jobs]) => `${number(jobs)} ${stateWordInside(state)}`).join(", ")}
        </span>
      )}
    </span>
  );
};
