import type { ReactNode } from "react";
import { messageOf } from "../../shared/errors.ts";
import css from "./list.module.css";
import { Loading, Notice } from "./notice.tsx";
import { Panel } from "./panel.tsx";

/** What a farm keeps a few of, one below the other; or that it is asked for, was refused, or that there is nothing. */
export const ListPanel = <Entry,>({
  title,
  entries,
  error,
  aid,
  empty,
  item,
  children,
}: {
  readonly title: string;
  /** Undefined until they were answered. */
  readonly entries: readonly Entry[] | undefined;
  readonly error: Error | null;
  readonly aid?: ReactNode;
  readonly empty?: ReactNode;
  /** An `Item` with its key. */
  readonly item: (entry: Entry) => ReactNode;
  readonly children?: ReactNode;
}) => (
  <Panel title={title} count={entries && String(entries.length)} aid={aid}>
    {!entries && error && <Notice tone="failed">{messageOf(error)}</Notice>}
    {!entries && !error && <Loading what={title.toLowerCase()} />}
    {entries?.length === 0 && empty}
    <ul className={css.list} aria-label={title}>
      {entries?.map(item)}
    </ul>
    {children}
  </Panel>
);

/** One of them: what it is called, what is to say of it, and what can be done with it; `children` take its whole width. */
export const Item = ({
  name,
  below,
  note,
  actions,
  children,
}: {
  readonly name: ReactNode;
  readonly below?: ReactNode;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}) => (
  <li className={css.item}>
    <span className={css.name}>
      {name}
      {below !== undefined && <span className={css.below}>{below}</span>}
    </span>
    <span className={css.note}>{note}</span>
    <span className={css.actions}>{actions}</span>
    {children && <div className={css.whole}>{children}</div>}
  </li>
);
