import { t } from "@lingui/core/macro";
import { Field } from "../controls/field.tsx";

/** Six digits from an app. */
export const CodeField = ({
  value,
  fault,
  onChange,
}: {
  readonly value: string;
  readonly fault?: string | undefined;
  readonly onChange: (code: string) => void;
}) => (
  <Field
    label={t`Code from your app`}
    hint={t`Six digits, new every 30 seconds`}
    inputMode="numeric"
    autoComplete="one-time-code"
    dir="ltr"
    required
    maxLength={20}
    value={value}
    {...(fault !== undefined && { fault })}
    onChange={(event) => onChange(event.target.value)}
  />
);
