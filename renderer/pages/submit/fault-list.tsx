import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ErrorDetail } from "../../../shared/errors.ts";
import { Button } from "../../ui/button.tsx";
import { Words } from "../../ui/words.tsx";
import type { EditorHandle } from "./editor.tsx";
import { fixOf } from "./fix.ts";
import css from "./submit.module.css";

const shownFaults = 50;

/** What is wrong in a job's JSON: each place is a button that leads there, and what can be mended by itself has one. */
export const FaultList = ({
  faults,
  editor,
}: {
  readonly faults: readonly ErrorDetail[];
  readonly editor: () => EditorHandle | null;
}) => (
  <ul className={css.faults} aria-label={t`What is wrong`}>
    {faults.slice(0, shownFaults).map((fault) => (
      <li key={`${fault.path} ${fault.message}`}>
        <Words text={fault.message} wraps />
        <span className={css.faultActions}>
          <button type="button" className={css.place} onClick={() => editor()?.show(fault)}>
            {fault.path === "" ? placeIn(fault.message) : <Words text={fault.path} wraps />}
          </button>
          <Fix fault={fault} editor={editor} />
        </span>
      </li>
    ))}
    {faults.length > shownFaults && (
      <li>
        <Trans>and {faults.length - shownFaults} more</Trans>
      </li>
    )}
  </ul>
);

const Fix = ({ fault, editor }: { readonly fault: ErrorDetail; readonly editor: () => EditorHandle | null }) => {
  const fix = fixOf(fault);
  if (fix === undefined || fault.path === "") return null;
  return <Button onClick={() => editor()?.change(fault.path, fix)}>{t`Change to ${fix}`}</Button>;
};

/** What is not JSON has no path, but the parser knows the line. */
const placeIn = (message: string): string => {
  const line = lineIn(message);
  return line === undefined ? t`the whole text` : t`Line ${line}`;
};

export const lineIn = (message: string): number | undefined => {
  const [, line] = /\bline (\d+)/.exec(message) ?? [];
  return line === undefined ? undefined : Number(line);
};
