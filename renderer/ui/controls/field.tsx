import { type ChangeEvent, type ComponentProps, useId, useState } from "react";
import { classes } from "../text/classes.ts";
import css from "./field.module.css";

/** A labelled input with its error below. */
export const Field = ({
  label,
  fault,
  hint,
  ...rest
}: ComponentProps<"input"> & { readonly label: string; readonly fault?: string; readonly hint?: string }) => {
  const id = useId();
  const note = fault ?? hint;
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <input
        dir="auto"
        {...rest}
        id={id}
        className={css.input}
        aria-invalid={fault !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={classes(css.note, fault !== undefined && css.fault)}>
          {note}
        </p>
      )}
    </div>
  );
};

/** A labelled text of several lines. */
export const LongField = ({
  label,
  hint,
  value,
  onText,
}: {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly value: string;
  readonly onText: (text: string) => void;
}) => {
  const id = useId();
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={css.input}
        rows={3}
        spellCheck={false}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-note`}
        onChange={(event) => onText(event.target.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-note`} className={css.note}>
          {hint}
        </p>
      )}
    </div>
  );
};

/** A field's text, and the props that bind the field to it. */
export const useText = (initial = "") => {
  const [text, setText] = useState(initial);
  const onChange = (event: ChangeEvent<HTMLInputElement>) => setText(event.target.value);
  return { text, input: { value: text, onChange } };
};

export const Choice = <Value extends string>({
  label,
  value,
  choices,
  onChoose,
}: {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChoose: (value: Value) => void;
}) => {
  const id = useId();
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      {/* A select returns one of the given values. */}
      <select id={id} className={css.input} value={value} onChange={(event) => onChoose(event.target.value as Value)}>
        {choices.map(([key, word]) => (
          <option key={key} value={key}>
            {word}
          </option>
        ))}
      </select>
    </div>
  );
};

/** A box that is ticked or not, with its words. */
type TickProps = { readonly label: string; readonly isOn: boolean; readonly onChange: (isOn: boolean) => void };

export const Tick = ({ label, isOn, onChange }: TickProps) => (
  <label className={css.tick}>
    <input type="checkbox" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    {label}
  </label>
);
