import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useState } from "react";
import type { UiJobRow } from "../../../shared/api/job-view.ts";
import type { useActions } from "../../data/actions.ts";
import { inMinutes, nextEvening } from "../../data/later.ts";
import { stopQuestion } from "../../ui/browser/questions.ts";
import { Button } from "../../ui/controls/button.tsx";
import { useKeys } from "../../ui/controls/keys.tsx";
import { Menu } from "../../ui/controls/menu.tsx";
import { Priority } from "../../ui/controls/priority.tsx";
import { Confirm } from "../../ui/overlays/dialog.tsx";
import { minuteTime, number } from "../../ui/text/format.ts";
import { deedsOn } from "./job-keys.tsx";
import css from "./jobs.module.css";

type Props = {
  readonly jobs: readonly UiJobRow[];
  readonly actions: ReturnType<typeof useActions>;
  readonly onClear: () => void;
};

/** The selection in numbers, and all actions for it. */
export const SelectionBar = ({ jobs, actions, onClear }: Props) => {
  const [isStopping, setStopping] = useState(false);
  const { open, failed, isPaused, stop, hold, retry, step } = deedsOn(jobs, actions, () => setStopping(true));
  const remove = () => {
    actions.remove(jobs);
    onClear();
  };
  useSelectionKeys({ stop, hold, retry, step, remove, onClear });
  return (
    <div className={css.selection} role="toolbar" aria-label={t`The chosen jobs`}>
      <b>
        <Trans>
          <Plural value={jobs.length} one="# job" other="# jobs" /> selected
        </Trans>
      </b>
      <span className={css.numbers}>{numbersOf(jobs)}</span>
      {open.length > 0 && (
        <Button hint="p" onClick={hold}>
          {isPaused ? t`Resume` : t`Pause`}
        </Button>
      )}
      <Priority
        key={jobs.map(({ id }) => id).join()}
        value={jobs.every(({ priority }) => priority === jobs[0]?.priority) ? jobs[0]?.priority : undefined}
        onSet={(value) => actions.setPriority(jobs, value)}
      />
      {open.length > 0 && <StartAfter onChoose={(at) => void actions.startAfter(open, at)} />}
      {failed.length > 0 && (
        <Button hint="t" onClick={retry}>
          <Trans>Retry failed</Trans>
        </Button>
      )}
      {open.length > 0 && (
        <Button hint="x" onClick={stop}>
          <Trans>
            Stop <Plural value={open.length} one="# job" other="# jobs" />…
          </Trans>
        </Button>
      )}
      <Button hint="Del" onClick={remove}>
        <Trans>Delete</Trans>
      </Button>
      <Button hint="Esc" onClick={onClear}>
        <Trans>Clear</Trans>
      </Button>
      <Confirm
        {...stopQuestion(open)}
        isOpen={isStopping}
        onClose={() => setStopping(false)}
        onGo={() => void actions.stop(open)}
      />
    </div>
  );
};

const StartAfter = ({ onChoose }: { readonly onChoose: (at: Date | null) => void }) => (
  <Menu
    trigger={
      <Button>
        <Trans>Start after</Trans>
      </Button>
    }
    items={laterTimes().map(([word, at]) => ({ word, run: () => onChoose(at) }))}
  />
);

type Deeds = Pick<ReturnType<typeof deedsOn>, "stop" | "hold" | "retry" | "step"> & {
  readonly remove: () => void;
  readonly onClear: () => void;
};

const useSelectionKeys = ({ stop, hold, retry, step, remove, onClear }: Deeds): void =>
  useKeys([
    { keys: "x", word: t`Stop the chosen jobs…`, run: stop },
    { keys: "p", word: t`Pause or resume the chosen jobs`, run: hold },
    { keys: "t", word: t`Retry what failed of the chosen jobs`, run: retry },
    { keys: "+", word: t`Priority up by 1`, run: () => step(1) },
    { keys: "-", word: t`Priority down by 1`, run: () => step(-1) },
    { keys: "Delete", word: t`Delete the chosen jobs`, run: remove },
    { keys: "Escape", word: t`Clear the selection`, run: onClear },
  ]);

const numbersOf = (jobs: readonly UiJobRow[]): string => {
  const sum = (of: "running" | "queued" | "failed") =>
    jobs.reduce((total, { task_counts: counts }) => total + counts[of], 0);
  const words = [
    plural(sum("running"), { one: "# task running", other: "# tasks running" }),
    t`${number(sum("queued"))} ready`,
    ...(sum("failed") > 0 ? [t`${number(sum("failed"))} failed`] : []),
  ];
  return words.join(", ");
};

const laterTimes = (): readonly (readonly [string, Date | null])[] => [
  [t`In 15 minutes`, inMinutes(15)],
  [t`In 1 hour`, inMinutes(60)],
  [t`In 4 hours`, inMinutes(240)],
  [t`At ${minuteTime(nextEvening().getTime())}`, nextEvening()],
  [t`At once`, null],
];
