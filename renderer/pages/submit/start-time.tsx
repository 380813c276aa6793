import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { inMinutes, nextEvening } from "../../data/later.ts";
import { Field } from "../../ui/controls/field.tsx";
import { Segments } from "../../ui/controls/segmented.tsx";
import { minuteTime, shortTime } from "../../ui/text/format.ts";
import css from "./submit.module.css";

type Choice = "now" | "hour" | "evening" | "other";

/** When the jobs may start: at once, or not before a time. */
export const StartTime = ({
  start,
  onStart,
}: {
  readonly start: Date | undefined;
  readonly onStart: (start: Date | undefined) => void;
}) => {
  const [choice, setChoice] = useState<Choice>("now");
  const evening = nextEvening();
  const starts: Record<Choice, () => Date | undefined> = {
    now: () => undefined,
    hour: () => inMinutes(60),
    evening: () => evening,
    other: () => start ?? inMinutes(60),
  };
  // Whoever changes the JSON may set another time than the choices name.
  const shown = start === undefined ? "now" : choice === "now" ? "other" : choice;
  return (
    <div className={css.start}>
      <span id="start-time">
        <Trans>Start</Trans>
      </span>
      <Segments<Choice>
        label={t`Start`}
        choices={[
          ["now", t`Now`],
          ["hour", t`In 1 hour`],
          ["evening", t`At ${minuteTime(evening.getTime())}`],
          ["other", t`Another time`],
        ]}
        chosen={shown}
        onChoose={(key) => {
          setChoice(key);
          onStart(starts[key]());
        }}
      />
      {shown === "other" && start && (
        <Field
          label={t`Not before`}
          type="datetime-local"
          value={localText(start)}
          onChange={(event) => {
            const time = new Date(event.target.value);
            if (!Number.isNaN(time.getTime())) onStart(time);
          }}
        />
      )}
      {start && shown !== "other" && (
        <p className={css.none}>
          <Trans>not before {shortTime(start.toISOString(), systemClock.now())}</Trans>
        </p>
      )}
    </div>
  );
};

/** `YYYY-MM-DDTHH:MM` in this computer's time zone, as the input wants it. */
const localText = (time: Date): string =>
  new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
