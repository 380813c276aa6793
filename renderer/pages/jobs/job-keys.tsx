import { t } from "@lingui/core/macro";
import { useState } from "react";
import type { UiJobRow } from "../../../shared/api/job-view.ts";
import type { useActions } from "../../data/actions.ts";
import { areHeld, countOf, type Meant, matchingOf, type WholeList } from "../../data/meant.ts";
import type { Ends } from "../../language/words.ts";
import { stopQuestion } from "../../ui/browser/questions.ts";
import { useKeys } from "../../ui/controls/keys.tsx";
import { Confirm } from "../../ui/overlays/dialog.tsx";

type Actions = ReturnType<typeof useActions>;

/** Selected rows, or a whole list, by what can be done to them. */
export type Parts = {
  readonly all: Meant;
  readonly open: Meant;
  readonly failed: Meant;
  /** How those ended: by themselves, by a person, or some each way. */
  readonly ends: Ends;
  /** All open ones are held. */
  readonly isPaused: boolean;
};

export const partsOfRows = (jobs: readonly UiJobRow[]): Parts & { readonly open: readonly UiJobRow[] } => {
  const open = jobs.filter(({ end_time }) => end_time === null);
  const failed = jobs.filter(({ status }) => status === "failed");
  return {
    all: jobs,
    open,
    failed,
    ends: endsOf(failed),
    isPaused: open.length > 0 && open.every(({ happening }) => happening.held !== null),
  };
};

export const partsOfList = (list: WholeList): Parts => ({
  all: matchingOf(list),
  open: matchingOf(list, ["queued", "active"]),
  failed: matchingOf(list, ["failed"]),
  ends: endsOf(list.groups.flatMap(({ states }) => states).filter(({ status }) => status === "failed")),
  isPaused: areHeld(list),
});

/** How the ones among them ended that did not complete. */
export const endsOf = (failed: readonly Pick<UiJobRow, "substatus">[]): Ends => ({
  failed: failed.some(({ substatus }) => substatus !== "stopped"),
  stopped: failed.some(({ substatus }) => substatus === "stopped"),
});

/** What can be done to some jobs; `ask` shows the question before they are stopped. */
export const deedsOn = ({ open, failed, isPaused }: Parts, actions: Actions, ask: () => void) => {
  const hasOpen = countOf(open) > 0;
  return {
    stop: () => hasOpen && ask(),
    hold: () => hasOpen && void actions.hold(open, isPaused),
    retry: () => countOf(failed) > 0 && void actions.change("retry", failed),
    step: (by: number) => hasOpen && actions.addPriority(open, by),
  };
};

/** While nothing is selected, the keys act on the job of the row that has the focus. */
export const RowKeys = ({
  focusedJob,
  actions,
  onWhy,
}: {
  readonly focusedJob: () => UiJobRow | undefined;
  readonly actions: Actions;
  readonly onWhy: (task: string) => void;
}) => {
  const [stopping, setStopping] = useState<readonly UiJobRow[]>();
  const on = () => {
    const job = focusedJob();
    const parts = partsOfRows(job ? [job] : []);
    return deedsOn(parts, actions, () => setStopping(parts.open));
  };
  const why = () => {
    const task = focusedJob()?.happening.waiting?.task_id;
    if (task !== undefined) onWhy(task);
  };
  useKeys([
    { keys: "x", word: t`Stop the row's job…`, run: () => on().stop() },
    { keys: "p", word: t`Pause or resume the row's job`, run: () => on().hold() },
    { keys: "t", word: t`Retry what failed of the row's job`, run: () => on().retry() },
    { keys: "+", word: t`Priority up by 1`, run: () => on().step(1) },
    { keys: "-", word: t`Priority down by 1`, run: () => on().step(-1) },
    { keys: "w", word: t`Why does the row's job wait?`, run: why },
  ]);
  return (
    <Confirm
      {...stopQuestion(stopping ?? [])}
      isOpen={stopping !== undefined}
      onClose={() => setStopping(undefined)}
      onGo={() => stopping && void actions.stop(stopping)}
    />
  );
};
