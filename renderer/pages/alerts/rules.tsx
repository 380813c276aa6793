import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import {
  type AlertKind,
  type AlertRule,
  type AlertSettings,
  alertKindNames,
  alertKinds,
  alertLanguages,
} from "../../../shared/outbound/alerts.ts";
import { request } from "../../data/client.ts";
import { alertKindWords } from "../../language/alerts.ts";
import { languages } from "../../language/languages.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice, Field, Tick } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import css from "./alerts.module.css";
import { alertsQuery } from "./alerts-query.ts";

/** What is told, and when messages may come. */
export const Rules = ({ settings }: { readonly settings: AlertSettings }) => {
  const [wanted, setWanted] = useState(settings);
  const queries = useQueryClient();
  const say = useSay();
  const change = useMutation({
    mutationFn: () => request("setAlerts", wanted),
    onSuccess: (view) => {
      queries.setQueryData(alertsQuery.queryKey, view);
      say(t`The rules of alerts are changed.`);
    },
  });
  const isSame = JSON.stringify(wanted) === JSON.stringify(settings);
  return (
    <Panel title={t`What is told`}>
      <Form onSend={() => change.mutate()}>
        {alertKindNames.map((kind) => (
          <Rule
            key={kind}
            kind={kind}
            rule={wanted.rules[kind]}
            hasQuiet={wanted.quiet !== null}
            onChange={(rule) => setWanted({ ...wanted, rules: { ...wanted.rules, [kind]: rule } })}
          />
        ))}
        <Times settings={wanted} onChange={setWanted} />
        {change.error && <Notice tone="failed">{messageOf(change.error)}</Notice>}
        <Button type="submit" disabled={change.isPending || isSame}>
          <Trans>Change the rules</Trans>
        </Button>
      </Form>
    </Panel>
  );
};

type RuleProps = {
  readonly kind: AlertKind;
  readonly rule: AlertRule;
  readonly hasQuiet: boolean;
  readonly onChange: (rule: AlertRule) => void;
};

const Rule = ({ kind, rule, hasQuiet, onChange }: RuleProps) => {
  const { title, limit } = alertKindWords[kind];
  const most = alertKinds[kind].limit?.most;
  return (
    <fieldset className={css.rule}>
      <legend>
        <Tick label={title} isOn={rule.is_on} onChange={(is_on) => onChange({ ...rule, is_on })} />
      </legend>
      {rule.is_on && limit !== undefined && (
        <Field
          label={limit}
          aria-label={`${title}: ${limit}`}
          type="number"
          required
          min={0.1}
          max={most}
          step="any"
          value={String(rule.limit ?? "")}
          onChange={({ target }) => onChange({ ...rule, limit: Number(target.value) })}
        />
      )}
      {rule.is_on && hasQuiet && (
        <Tick
          label={t`Urgent: also in the quiet hours`}
          isOn={rule.is_urgent}
          onChange={(is_urgent) => onChange({ ...rule, is_urgent })}
        />
      )}
    </fieldset>
  );
};

type TimesProps = { readonly settings: AlertSettings; readonly onChange: (settings: AlertSettings) => void };

const usualQuiet = { from: "22:00", to: "07:00" };

const Times = ({ settings, onChange }: TimesProps) => (
  <>
    <Tick
      label={t`Quiet hours: messages wait until they end`}
      isOn={settings.quiet !== null}
      onChange={(isOn) =>
        onChange(isOn ? { ...settings, quiet: usualQuiet, time_zone: ownZone() } : { ...settings, quiet: null })
      }
    />
    {settings.quiet && <Quiet settings={settings} quiet={settings.quiet} onChange={onChange} />}
    <Choice
      label={t`Language of messages`}
      value={settings.language}
      choices={languageChoices}
      onChoose={(language) => onChange({ ...settings, language })}
    />
    <Field
      label={t`Time zone`}
      hint={t`Of the times in messages, and of quiet hours`}
      required
      maxLength={100}
      value={settings.time_zone}
      onChange={({ target }) => onChange({ ...settings, time_zone: target.value })}
    />
    <Field
      label={t`Gather for, in seconds`}
      hint={t`What happens within this time is one message`}
      type="number"
      required
      min={0}
      max={3600}
      value={String(settings.gather_seconds)}
      onChange={({ target }) => onChange({ ...settings, gather_seconds: Number(target.value) })}
    />
    <Field
      label={t`Pause between two messages, in minutes`}
      type="number"
      required
      min={0}
      max={1440}
      value={String(settings.pause_minutes)}
      onChange={({ target }) => onChange({ ...settings, pause_minutes: Number(target.value) })}
    />
  </>
);

const Quiet = ({ settings, quiet, onChange }: TimesProps & { readonly quiet: NonNullable<AlertSettings["quiet"]> }) => (
  <div className={css.quiet}>
    {(["from", "to"] as const).map((end) => (
      <Field
        key={end}
        label={end === "from" ? t`Quiet from` : t`Quiet until`}
        type="time"
        required
        value={quiet[end]}
        onChange={({ target }) => onChange({ ...settings, quiet: { ...quiet, [end]: target.value.slice(0, 5) } })}
      />
    ))}
  </div>
);

const languageChoices = alertLanguages.map((name) => [name, languages[name]?.name ?? name] as const);

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
