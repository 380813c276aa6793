import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId, useState } from "react";
import { Button } from "./button.tsx";
import css from "./priority.module.css";

/** A priority as a number field; Enter sets it. */
export const Priority = ({
  value,
  onSet,
}: {
  /** Undefined: several jobs with different priorities. */
  readonly value: number | undefined;
  readonly onSet: (value: number) => void;
}) => {
  const id = useId();
  const [text, setText] = useState(value === undefined ? "" : String(value));
  return (
    <form
      className={css.priority}
      onSubmit={(event) => {
        event.preventDefault();
        onSet(Number(text));
      }}
    >
      <label htmlFor={id}>
        <Trans>Priority</Trans>
      </label>
      <input
        id={id}
        type="number"
        required
        min={1}
        max={254}
        value={text}
        placeholder={t`mixed`}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit">
        <Trans>Set</Trans>
      </Button>
    </form>
  );
};
