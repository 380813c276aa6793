import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { LendingRules, LendMode, ReturnWay } from "../../../shared/lending/lending.ts";
import { Choice, Field, Tick, useText } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import css from "./computer.module.css";
import type { PartProps } from "./part.ts";

const modes: readonly (readonly [LendMode, string, (rules: LendingRules) => string])[] = [
  ["always", t`Always`, () => t`also while you work, at low priority`],
  [
    "idle",
    t`When I’m away`,
    ({ idleAfterMin }) => t`after ${idleAfterMin} min without mouse or key, and while other programs are quiet`,
  ],
  ["hours", t`By hours`, () => t`only in the week plan below`],
  ["never", t`Never`, () => t`this computer only watches`],
];

/** When this computer lends, and what happens to running tasks when it stops. */
export const Rules = ({ computer: { rules, report }, ask }: PartProps) => {
  const set = (change: Partial<LendingRules>) => ask((app) => app.setRules({ rules: { ...rules, ...change } }));
  const canSuspend = report?.canSuspend ?? rules.onReturn === "suspend";
  return (
    <Panel title={t`When it lends`}>
      <fieldset className={css.modes}>
        <legend className="unseen">
          <Trans>When it lends</Trans>
        </legend>
        {modes.map(([mode, word, means]) => (
          <label key={mode} className={css.mode}>
            <input type="radio" name="lend" checked={rules.lend === mode} onChange={() => set({ lend: mode })} />
            <span>
              <b>{word}</b>
              <span className={css.note}>{means(rules)}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <div className={css.choices}>
        <Choice
          label={t`When lending stops`}
          value={`${rules.onReturn}:${rules.onReturn === "suspend" ? rules.holdMin : 0}`}
          choices={returnChoices(rules, canSuspend)}
          onChoose={(chosen) => set(returnOf(chosen, rules))}
        />
        {rules.lend === "idle" && (
          <Choice
            label={t`Away after`}
            value={String(rules.idleAfterMin)}
            choices={withOwn([1, 5, 10, 15, 30, 60], rules.idleAfterMin).map((each) => [String(each), t`${each} min`])}
            onChoose={(chosen) => set({ idleAfterMin: Number(chosen) })}
          />
        )}
        <Choice
          label={t`Notice before work starts`}
          value={String(rules.noticeSec)}
          choices={withOwn([0, 10, 30, 60, 300], rules.noticeSec).map((each) => [String(each), noticeWord(each)])}
          onChoose={(chosen) => set({ noticeSec: Number(chosen) })}
        />
        <div className={css.ticks}>
          <Tick label={t`Lend on battery`} isOn={rules.onBattery} onChange={(onBattery) => set({ onBattery })} />
          <Tick
            label={t`Lend while a program fills the screen`}
            isOn={rules.inFullScreen}
            onChange={(inFullScreen) => set({ inFullScreen })}
          />
        </div>
        <NotWhile key={rules.notWhile.join()} programs={rules.notWhile} onChange={(notWhile) => set({ notWhile })} />
        {!canSuspend && (
          <p className={css.note}>
            <Trans>This system cannot suspend programs, so tasks finish or start elsewhere.</Trans>
          </p>
        )}
      </div>
    </Panel>
  );
};

/** Programs that need the whole computer. What was typed applies once the field is left. */
const NotWhile = ({
  programs,
  onChange,
}: {
  readonly programs: readonly string[];
  readonly onChange: (programs: string[]) => void;
}) => {
  const { text, input } = useText(programs.join(", "));
  const wanted = [
    ...new Set(
      text
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ];
  const save = () => {
    if (wanted.join() !== programs.join()) onChange(wanted);
  };
  return (
    <Form onSend={save}>
      <Field
        label={t`Not while these programs run`}
        hint={t`Names separated by commas, such as Resolve, Nuke, Maya. Nuke also means Nuke15.1`}
        maxLength={2000}
        autoComplete="off"
        onBlur={save}
        {...input}
      />
    </Form>
  );
};

/** Suspending is offered only on systems that can suspend programs. */
const returnChoices = ({ holdMin }: LendingRules, canSuspend: boolean): (readonly [string, string])[] => [
  ...(canSuspend
    ? withOwn([5, 10, 30, 60], holdMin).map(
        (minutes) => [`suspend:${minutes}`, t`Hold tasks ${minutes} min, then give them back`] as const,
      )
    : []),
  ["finish:0", t`Let running tasks finish`],
  ["requeue:0", t`Give tasks back at once`],
];

const returnOf = (chosen: string, { holdMin }: LendingRules): Pick<LendingRules, "onReturn" | "holdMin"> => {
  const [way, minutes] = chosen.split(":");
  // One of the choices that were just offered.
  return { onReturn: way as ReturnWay, holdMin: way === "suspend" ? Number(minutes) : holdMin };
};

const withOwn = (usual: readonly number[], own: number): number[] =>
  [...new Set([...usual, own])].sort((one, other) => one - other);

const noticeWord = (seconds: number): string => {
  if (seconds === 0) return t`None`;
  return seconds < 60 ? `${seconds} s` : t`${seconds / 60} min`;
};
