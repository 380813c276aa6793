import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type FormEvent, useState } from "react";
import { useActions } from "../../data/actions.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice, Field, useText } from "../../ui/controls/field.tsx";
import formCss from "../../ui/controls/form.module.css";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./overview.module.css";
import type { Problem } from "./problems.ts";

type Props = { readonly problem: Problem; readonly now: number; readonly onClose: () => void };

const [hourMs, dayMs] = [3_600_000, 86_400_000];
type Span = "hour" | "shift" | "morning" | "week";

/** Says that one looks after something until a time, and why: it no longer needs anybody else. */
export const Acknowledge = ({ problem, now, onClose }: Props) => {
  const { acknowledge } = useActions();
  const why = useText();
  const [span, setSpan] = useState<Span>("shift");
  const send = (event: FormEvent) => {
    event.preventDefault();
    onClose();
    void acknowledge(problem.subjects, new Date(endOf(span, now)).toISOString(), why.text.trim());
  };
  return (
    <Dialog title={t`Acknowledge`} isOpen onClose={onClose}>
      <form className={formCss.form} onSubmit={send}>
        <p className={css.asked}>
          <Words text={problem.title} isOurs /> <Words text={problem.text} wraps isOurs className={css.quiet} />
        </p>
        <Choice
          label={t`I look after it for`}
          value={span}
          onChoose={setSpan}
          choices={[
            ["hour", t`An hour`],
            ["shift", t`Eight hours`],
            ["morning", t`Until 9:00 tomorrow`],
            ["week", t`A week`],
          ]}
        />
        <Field label={t`Why, for everybody to read`} maxLength={300} {...why.input} />
        <p className={css.quiet}>
          <Trans>If it ends and happens again, it is shown again.</Trans>
        </p>
        <Button look="primary" type="submit">
          <Trans>Acknowledge</Trans>
        </Button>
      </form>
    </Dialog>
  );
};

const endOf = (span: Span, now: number): number => {
  if (span === "hour") return now + hourMs;
  if (span === "shift") return now + 8 * hourMs;
  if (span === "week") return now + 7 * dayMs;
  const morning = new Date(now + dayMs);
  morning.setHours(9, 0, 0, 0);
  return morning.getTime();
};
