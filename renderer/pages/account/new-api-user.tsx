import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { type ReachKind, reachKinds, type Scope, scopes, usualScopes } from "../../../shared/people/scopes.ts";
import { request } from "../../data/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice, Field, Tick } from "../../ui/controls/field.tsx";
import { Fields, Form } from "../../ui/controls/form.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Secrets } from "../../ui/overlays/secrets.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import css from "./account.module.css";
import { reachTexts, scopeTexts } from "./power-words.ts";

/** What the user is made with. Usual is what a program needs that sends jobs and looks after them. */
type Wanted = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly reach: ReachKind;
  readonly group: string;
  readonly days: string;
};

const usual: Wanted = { name: "", scopes: usualScopes, reach: "own", group: "", days: "" };

/** Makes an API user: what it may do, and to whose jobs and presets. Its secret is shown once, in a dialog. */
export const NewApiUser = () => {
  const queries = useQueryClient();
  const [wanted, setWanted] = useState(usual);
  const change = (part: Partial<Wanted>) => setWanted((before) => ({ ...before, ...part }));
  const create = useMutation({
    mutationFn: ({ group, days, ...rest }: Wanted) =>
      request("createApiUser", {
        ...{ ...rest, scopes: [...rest.scopes], group: group.trim() || null },
        days: days === "" ? null : Number(days),
      }),
    onSuccess: async () => {
      setWanted(usual);
      await queries.invalidateQueries({ queryKey: ["api-users"] });
    },
  });
  return (
    <Form onSend={() => create.mutate(wanted)}>
      <Field
        label={t`Name of a new API user`}
        hint={t`A label for people: the program that uses it`}
        autoComplete="off"
        maxLength={100}
        required
        value={wanted.name}
        onChange={(e) => change({ name: e.target.value })}
      />
      <Scopes chosen={wanted.scopes} onChange={(chosen) => change({ scopes: chosen })} />
      <Choice
        label={t`It reaches`}
        value={wanted.reach}
        choices={reachKinds.map((kind) => [kind, reachTexts()[kind]] as const)}
        onChoose={(reach) => change({ reach })}
      />
      <Field
        label={t`Its group`}
        hint={t`Programs of one group that reach it share their jobs and presets`}
        autoComplete="off"
        maxLength={100}
        required={wanted.reach === "group"}
        value={wanted.group}
        onChange={(e) => change({ group: e.target.value })}
      />
      <Field
        label={t`Days until it expires`}
        hint={t`Empty: it may log in until you revoke it`}
        type="number"
        min={1}
        max={3660}
        value={wanted.days}
        onChange={(e) => change({ days: e.target.value })}
      />
      {create.error && <Notice tone="failed">{messageOf(create.error)}</Notice>}
      <Button look="primary" type="submit" disabled={create.isPending}>
        <Trans>Make an API user</Trans>
      </Button>
      <ShownOnce made={create.data} onClose={() => create.reset()} />
    </Form>
  );
};

const Scopes = ({
  chosen,
  onChange,
}: {
  readonly chosen: readonly Scope[];
  readonly onChange: (chosen: readonly Scope[]) => void;
}) => {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset lays its legend and children out in its own way
    <div className={css.scopes} role="group" aria-labelledby={id}>
      <span id={id}>
        <Trans>It may</Trans>
      </span>
      {scopes.map((scope) => (
        <Tick
          key={scope}
          label={scopeTexts()[scope]}
          isOn={chosen.includes(scope)}
          onChange={(isOn) => onChange(scopes.filter((each) => (each === scope ? isOn : chosen.includes(each))))}
        />
      ))}
    </div>
  );
};

const ShownOnce = ({
  made,
  onClose,
}: {
  readonly made: Readonly<Record<string, string>> | undefined;
  readonly onClose: () => void;
}) => (
  <Dialog title={t`Shown only once`} isOpen={made !== undefined} onClose={onClose} hasOwnClose>
    <Fields>
      <p>
        <Trans>Give both to the program now: the secret cannot be looked up again.</Trans>
      </p>
      {made && <Secrets values={Object.entries(made)} />}
      <Button look="primary" hint="Esc" onClick={onClose}>
        <Trans>I have kept it</Trans>
      </Button>
    </Fields>
  </Dialog>
);
