import { t } from "@lingui/core/macro";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { UiJobRow } from "../../../shared/api/job-view.ts";
import type { useActions } from "../../data/actions.ts";
import { retryWord } from "../../language/words.ts";
import { stopQuestion } from "../../ui/browser/questions.ts";
import { Menu } from "../../ui/controls/menu.tsx";
import { Confirm } from "../../ui/overlays/dialog.tsx";
import { endsOf } from "./job-keys.tsx";
import css from "./jobs.module.css";

/**
 * All that can be done to one row's job. The list itself is only made when somebody asks for it, and it belongs to its job:
 * a row that shows another one by now has none.
 */
export const RowMenu = ({
  job,
  actions,
}: {
  readonly job: UiJobRow;
  readonly actions: ReturnType<typeof useActions>;
}) => {
  const [wantedFor, setWantedFor] = useState<string>();
  const want = () => setWantedFor(job.id);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keeps a click in the menu from opening the row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button has the keys
    <span className={css.dots} onClick={(event) => event.stopPropagation()} onPointerEnter={want}>
      {wantedFor === job.id ? (
        <Opened key={job.id} job={job} actions={actions} />
      ) : (
        <button type="button" tabIndex={-1} aria-label={t`Actions of job ${job.id}`} onFocus={want}>
          ⋯
        </button>
      )}
    </span>
  );
};

const Opened = ({ job, actions }: { readonly job: UiJobRow; readonly actions: ReturnType<typeof useActions> }) => {
  const navigate = useNavigate();
  const [isStopping, setStopping] = useState(false);
  const isOpen = job.end_time === null;
  const isPaused = job.happening.held !== null;
  const open = (search: object = {}) => void navigate({ to: "/jobs/$jobId", params: { jobId: job.id }, search });
  return (
    <>
      <Menu
        trigger={
          <button type="button" tabIndex={-1} aria-label={t`Actions of job ${job.id}`}>
            ⋯
          </button>
        }
        items={[
          { word: t`Open`, run: () => open() },
          ...(isOpen
            ? [
                { word: isPaused ? t`Resume` : t`Pause`, run: () => void actions.hold([job], isPaused) },
                { word: t`Priority up by 10`, run: () => actions.addPriority([job], 10) },
                { word: t`Priority down by 10`, run: () => actions.addPriority([job], -10) },
                { word: t`Stop…`, run: () => setStopping(true) },
              ]
            : []),
          ...(job.status === "failed"
            ? [{ word: retryWord(endsOf([job])), run: () => void actions.change("retry", [job]) }]
            : []),
          { word: t`Clone and edit`, run: () => void navigate({ to: "/submit", search: { from: job.id } }) },
          { word: t`Delete`, run: () => actions.remove([job]) },
        ]}
      />
      <Confirm
        {...stopQuestion([job])}
        isOpen={isStopping}
        onClose={() => setStopping(false)}
        onGo={() => void actions.stop([job])}
      />
    </>
  );
};
