import css from "./computer.module.css";

type ShareProps = {
  readonly label: string;
  /** Shares from 0 to 1. */
  readonly farm?: number;
  readonly others: number;
  /** Where lending stops. */
  readonly tick?: number;
  readonly words: string;
};

/** One part of the machine: the farm's use in its hue, everything else hatched. */
export const Share = ({ label, farm = 0, others, tick, words }: ShareProps) => (
  <div>
    <dt>{label}</dt>
    <dd className={css.share} aria-hidden="true">
      <span data-part="farm" style={{ width: percent(farm) }} />
      <span data-part="you" style={{ width: percent(others) }} />
      {tick !== undefined && <i style={{ left: percent(tick) }} />}
    </dd>
    <dd className={css.number}>{words}</dd>
  </div>
);

const percent = (share: number): string => `${Math.max(0, Math.min(1, share)) * 100}%`;
