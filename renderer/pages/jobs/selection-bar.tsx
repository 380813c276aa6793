import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useLayoutEffect, useRef, useState } from "react";
import type { UiJobRow } from "../../../shared/api/job-view.ts";
import type { useActions } from "../../data/actions.ts";
import { countsByState } from "../../data/job-states.ts";
import { inMinutes, nextEvening } from "../../data/later.ts";
import { countOf, type WholeList } from "../../data/meant.ts";
import { retryWord, stateWordInside } from "../../language/words.ts";
import { deleteListQuestion, stopListQuestion, stopQuestion } from "../../ui/browser/questions.ts";
import { Button } from "../../ui/controls/button.tsx";
import { useKeys } from "../../ui/controls/keys.tsx";
import { Menu } from "../../ui/controls/menu.tsx";
import { Priority } from "../../ui/controls/priority.tsx";
import { Confirm } from "../../ui/overlays/dialog.tsx";
import { minuteTime, number } from "../../ui/text/format.ts";
import { deedsOn, partsOfList, partsOfRows } from "./job-keys.tsx";
import css from "./jobs.module.css";
import type { Selected } from "./use-selection.ts";

type Props = {
  readonly selected: Selected;
  readonly actions: ReturnType<typeof useActions>;
  /** How many jobs the list has; absent if all of them are selected. */
  readonly all: number | undefined;
};

/** The selection in numbers, and all actions for it. */
export const SelectionBar = ({ selected, actions, all }: Props) => {
  const { jobs, whole, isAll, size, clear } = selected;
  const [asking, setAsking] = useState<"stop" | "delete">();
  const parts = whole ? partsOfList(whole) : partsOfRows(jobs);
  const { stop, hold, retry, step } = deedsOn(parts, actions, () => setAsking("stop"));
  const openCount = countOf(parts.open);
  const removeNow = () => {
    actions.remove(parts.all);
    clear();
  };
  const remove = whole ? () => setAsking("delete") : removeNow;
  useSelectionKeys({ stop, hold, retry, step, remove, onClear: clear });
  const bar = useBarHeight();
  return (
    <div ref={bar} className={css.selection} role="toolbar" aria-label={t`The chosen jobs`}>
      <b>
        <Trans>
          <Plural value={size} one="# job" other="# jobs" /> selected
        </Trans>
      </b>
      <span className={css.numbers}>
        {whole ? statesWords(whole) : numbersOf(jobs)}
        {all !== undefined && all > 0 && !isAll && (
          <Button hint="Ctrl A" onClick={selected.selectAll}>
            <Trans>Select all {number(all)}</Trans>
          </Button>
        )}
      </span>
      {openCount > 0 && (
        <Button hint="p" onClick={hold}>
          {parts.isPaused ? t`Resume` : t`Pause`}
        </Button>
      )}
      <Priority
        key={whole ? "all" : jobs.map(({ id }) => id).join()}
        value={!whole && jobs.every(({ priority }) => priority === jobs[0]?.priority) ? jobs[0]?.priority : undefined}
        onSet={(value) => actions.setPriority(whole ? parts.open : parts.all, value)}
      />
      {openCount > 0 && <StartAfter onChoose={(at) => void actions.startAfter(parts.open, at)} />}
      {countOf(parts.failed) > 0 && (
        <Button hint="t" onClick={retry}>
          {retryWord(parts.ends)}
        </Button>
      )}
      {openCount > 0 && (
        <Button hint="x" onClick={stop}>
          <Trans>
            Stop <Plural value={openCount} one="# job" other="# jobs" />…
          </Trans>
        </Button>
      )}
      <Button hint="Del" onClick={remove}>
        {whole ? t`Delete…` : t`Delete`}
      </Button>
      <Button hint="Esc" onClick={clear}>
        <Trans>Clear</Trans>
      </Button>
      <Confirm
        {...(whole ? stopListQuestion(openCount) : stopQuestion(partsOfRows(jobs).open))}
        isOpen={asking === "stop"}
        onClose={() => setAsking(undefined)}
        onGo={() => void actions.stop(parts.open)}
      />
      <Confirm
        {...deleteListQuestion(countOf(parts.all))}
        isOpen={asking === "delete"}
        onClose={() => setAsking(undefined)}
        onGo={removeNow}
      />
    </div>
  );
};

/** What floats at the lower edge of the window stays above the bar. */
const useBarHeight = () => {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const watch = new ResizeObserver(() => style.setProperty("--bar-height", `${bar.current?.offsetHeight ?? 0}px`));
    if (bar.current) watch.observe(bar.current);
    return () => {
      watch.disconnect();
      style.removeProperty("--bar-height");
    };
  }, []);
  return bar;
};

/** "312 running, 39,000 waiting": as the list's groups count them. */
const statesWords = ({ groups }: WholeList): string =>
  countsByState(groups.flatMap(({ states }) => states))
    .map(([state, count]) => `${number(count)} ${stateWordInside(state)}`)
    .join(", ");

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
