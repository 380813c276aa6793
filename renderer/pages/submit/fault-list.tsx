import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { ErrorDetail } from "../../../shared/basics/errors.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Words } from "../../ui/text/words.tsx";
import type { EditorHandle } from "./editor.tsx";
import { findFix } from "./fix.ts";
import { lineIn } from "./json-paths.ts";
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
  const fix = findFix(fault);
  if (fix === undefined || fault.path === "") return null;
  return <Button onClick={() => editor()?.change(fault.path, fix)}>{t`Change to ${fix}`}</Button>;
};

const placeIn = (message: string): string => {
  const line = lineIn(message);
  return line === undefined ? t`the whole text` : t`Line ${line}`;
};
