import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { StateName } from "../../../../shared/model/state-labels.ts";
import type { Verdict } from "../../../../shared/model/verdict.ts";
import { State } from "../../../ui/text/state.tsx";
import { Words } from "../../../ui/text/words.tsx";
import css from "./findings.module.css";

type Outcome = Verdict["outcome"];

const looks: Readonly<Record<Outcome, { readonly state: StateName; readonly word: string; readonly rank: number }>> = {
  failed: { state: "failed", word: t`Failed`, rank: 0 },
  warning: { state: "late", word: t`Warning`, rank: 1 },
  passed: { state: "completed", word: t`Passed`, rank: 2 },
};
const shown = 200;

/** Every check with its outcome; failed ones first. */
export const Verdicts = ({ verdicts }: { readonly verdicts: readonly Verdict[] }) => {
  const sorted = [...verdicts].sort((a, b) => looks[a.outcome].rank - looks[b.outcome].rank);
  return (
    <div className={css.scroller}>
      <table className={css.verdicts}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Outcome</Trans>
            </th>
            <th scope="col">
              <Trans>Check</Trans>
            </th>
            <th scope="col">
              <Trans>What was found</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, shown).map(({ name, condition, outcome, message }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two checks may be the same in every word
            <tr key={at}>
              <td>
                <State state={looks[outcome].state} word={looks[outcome].word} />
              </td>
              <td>
                {name !== undefined && <Words text={name} wraps className={css.name} />}
                <code>
                  <Words text={condition} wraps />
                </code>
              </td>
              <td>
                <Words text={message} wraps />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > shown && (
        <p className={css.more}>
          <Trans>and {sorted.length - shown} more that passed or warned</Trans>
        </p>
      )}
    </div>
  );
};
