import type { ReactNode } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { Panel } from "../layout/panel.tsx";
import { Loading, Notice } from "../text/notice.tsx";
import css from "./list.module.css";

/** A short list of the farm's items; or that it is loading, was refused, or is empty. */
export const ListPanel = <Entry,>({
  title,
  entries,
  error,
  aid,
  before,
  empty,
  item,
  children,
}: {
  readonly title: string;
  /** Undefined while loading. */
  readonly entries: readonly Entry[] | undefined;
  readonly error: Error | null;
  readonly aid?: ReactNode;
  /** What chooses among the items, above them. */
  readonly before?: ReactNode;
  readonly empty?: ReactNode;
  /** An `Item` with its key. */
  readonly item: (entry: Entry) => ReactNode;
  readonly children?: ReactNode;
}) => (
  <Panel title={title} count={entries && String(entries.length)} aid={aid}>
    {before && <div className={css.before}>{before}</div>}
    {!entries && error && <Notice tone="failed">{messageOf(error)}</Notice>}
    {!entries && !error && <Loading what={title} />}
    {entries?.length === 0 && empty}
    <ul className={css.list} aria-label={title}>
      {entries?.map(item)}
    </ul>
    {children}
  </Panel>
);

/** One item: its name, its details and its actions; `children` take the whole width. */
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
