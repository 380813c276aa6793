import { Plural, Trans } from "@lingui/react/macro";
import { Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import { alikeWarnings } from "./alike-warnings.ts";
import css from "./job.module.css";

const mostShown = 20;

/** What the job says that has no effect, or not the one that it asks for. */
export const Warnings = ({ warnings }: { readonly warnings: readonly string[] }) => {
  const alike = alikeWarnings(warnings);
  if (alike.length === 0) return null;
  return (
    <Notice tone="late">
      <ul className={css.warnings}>
        {alike.slice(0, mostShown).map(({ warning, others }) => (
          <li key={warning}>
            <Words text={warning} wraps />
            {others > 0 && (
              <>
                {" "}
                <Plural value={others} one="(and in # other place)" other="(and in # other places)" />
              </>
            )}
          </li>
        ))}
        {alike.length > mostShown && (
          <li>
            <Trans>and {alike.length - mostShown} more</Trans>
          </li>
        )}
      </ul>
    </Notice>
  );
};
