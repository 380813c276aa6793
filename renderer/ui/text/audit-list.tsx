import { t } from "@lingui/core/macro";
import type { AuditEntry } from "../../../shared/people/audit.ts";
import { auditWords } from "../../language/audit.ts";
import css from "./audit-list.module.css";
import { shortTime } from "./format.ts";
import { Words } from "./words.tsx";

/** Who did what, newest first. */
export const AuditList = ({ entries, now }: { readonly entries: readonly AuditEntry[]; readonly now: number }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keys
  <ul className={css.list} tabIndex={0} aria-label={t`Who did what`}>
    {entries.map((entry, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two entries may be the same in every word
      <li key={`${entry.at} ${index}`}>
        <time dateTime={entry.at}>{shortTime(entry.at, now)}</time>
        <Words text={auditWords(entry)} wraps isOurs />
      </li>
    ))}
  </ul>
);
