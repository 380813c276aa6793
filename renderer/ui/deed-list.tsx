import { t } from "@lingui/core/macro";
import type { Deed } from "../../shared/deed.ts";
import { deedWords } from "../language/deeds.ts";
import css from "./deed-list.module.css";
import { shortTime } from "./format.ts";
import { Words } from "./words.tsx";

/** Who did what, newest first. */
export const DeedList = ({ deeds, now }: { readonly deeds: readonly Deed[]; readonly now: number }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls has to be reached by keys
  <ul className={css.deeds} tabIndex={0} aria-label={t`Who did what`}>
    {deeds.map((deed, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two deeds may be the same in every word
      <li key={`${deed.at} ${index}`}>
        <time dateTime={deed.at}>{shortTime(deed.at, now)}</time>
        <Words text={deedWords(deed)} wraps isOurs />
      </li>
    ))}
  </ul>
);
