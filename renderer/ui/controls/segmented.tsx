import css from "./segmented.module.css";

/** A few choices side by side; one is on. */
export const Segments = <Key extends string>({
  label,
  choices,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly choices: readonly (readonly [Key, string])[];
  readonly chosen: Key;
  readonly onChoose: (key: Key) => void;
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset lays its legend and children out in its own way
  <div className={css.segments} role="group" aria-label={label}>
    {choices.map(([key, word]) => (
      <button key={key} type="button" aria-pressed={key === chosen} onClick={() => onChoose(key)}>
        {word}
      </button>
    ))}
  </div>
);
