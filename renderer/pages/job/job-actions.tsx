import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { UiJob } from "../../../shared/api/job-view.ts";
import { useActions } from "../../data/actions.ts";
import { useMay } from "../../data/session.tsx";
import { retryWord } from "../../language/words.ts";
import { copyText } from "../../ui/browser/clipboard.ts";
import { stopQuestion } from "../../ui/browser/questions.ts";
import { Button } from "../../ui/controls/button.tsx";
import { useKeys } from "../../ui/controls/keys.tsx";
import { Menu } from "../../ui/controls/menu.tsx";
import { Priority } from "../../ui/controls/priority.tsx";
import { Confirm } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import css from "./job.module.css";

/** What can be done with the job, as buttons and keys. */
export const JobActions = ({ view }: { readonly view: UiJob }) => {
  const { info } = view;
  const mayChange = useMay("operator");
  const [isStopping, setStopping] = useState(false);
  const deeds = useDeeds(view, () => setStopping(true));
  const { isOpen, isPaused, canRetry } = deeds;
  useJobKeys(deeds, mayChange);
  if (!mayChange)
    return (
      <Button onClick={deeds.copyId}>
        <Trans>Copy id</Trans>
      </Button>
    );
  return (
    <>
      {canRetry && (
        <Button look="primary" hint="t" onClick={deeds.retry}>
          {retryWord(deeds.ends)}
        </Button>
      )}
      {isOpen && (
        <>
          <Button hint="p" onClick={deeds.hold}>
            {isPaused ? t`Resume` : t`Pause`}
          </Button>
          <Priority key={info.priority} value={info.priority} onSet={deeds.setPriority} />
        </>
      )}
      <span className={css.together}>
        {isOpen && (
          <Button hint="x" onClick={deeds.askToStop}>
            <Trans>Stop…</Trans>
          </Button>
        )}
        <Menu
          trigger={<Button aria-label={t`More actions`}>⋯</Button>}
          items={[
            { word: t`Clone and edit`, run: deeds.clone },
            { word: t`Run the whole job again`, run: deeds.runAgain },
            { word: t`Copy id`, hint: "c", run: deeds.copyId },
            { word: t`Delete`, run: deeds.remove },
          ]}
        />
      </span>
      <Confirm
        {...stopQuestion([{ ...info, task_counts: view.task_counts }])}
        isOpen={isStopping}
        onClose={() => setStopping(false)}
        onGo={deeds.stop}
      />
    </>
  );
};

const useDeeds = ({ info, elements }: UiJob, askToStop: () => void) => {
  const actions = useActions();
  const navigate = useNavigate();
  const say = useSay();
  const isPaused = info.substatus === "paused" || info.substatus === "scheduled";
  return {
    isOpen: info.end_time === null,
    isPaused,
    ends: { failed: info.substatus !== "stopped", stopped: info.substatus === "stopped" },
    canRetry: elements.some(({ state }) => state === "failed"),
    copyId: () => void copyText(info.id).then(() => say(t`Copied ${info.id}.`)),
    leave: () => void navigate({ to: "/jobs" }),
    setPriority: (value: number) => actions.setPriority([info], value),
    step: (by: number) => actions.addPriority([info], by),
    hold: () => void actions.hold([info], isPaused),
    retry: () => void actions.change("retry", [info]),
    runAgain: () => void actions.retryAll(info),
    clone: () => void navigate({ to: "/submit", search: { from: info.id } }),
    remove: () => {
      actions.remove([info]);
      void navigate({ to: "/jobs" });
    },
    askToStop,
    stop: () => void actions.stop([info]),
  };
};

const useJobKeys = (deeds: ReturnType<typeof useDeeds>, mayChange: boolean): void => {
  const { isOpen, isPaused, canRetry } = deeds;
  useKeys([
    { keys: "c", word: t`Copy the job's id`, run: deeds.copyId },
    { keys: "Escape", word: t`Back to Jobs`, run: deeds.leave },
    ...(mayChange && canRetry ? [{ keys: "t", word: t`Retry what failed`, run: deeds.retry }] : []),
    ...(mayChange && isOpen
      ? [
          { keys: "p", word: isPaused ? t`Resume the job` : t`Pause the job`, run: deeds.hold },
          { keys: "+", word: t`Priority up by 1`, run: () => deeds.step(1) },
          { keys: "-", word: t`Priority down by 1`, run: () => deeds.step(-1) },
          { keys: "x", word: t`Stop the job…`, run: deeds.askToStop },
        ]
      : []),
  ]);
};
