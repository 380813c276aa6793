import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { Narrowed } from "../../../shared/people/narrowed.ts";
import { type Role, roles } from "../../../shared/people/person.ts";
import { request } from "../../data/client.ts";
import { useNow } from "../../data/link.ts";
import { peopleQuery } from "../../data/queries.ts";
import { useMay, useSession } from "../../data/session.tsx";
import { translated } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Choice, Field } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { NewPassword } from "../../ui/controls/new-password.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Confirm, Dialog } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Columns } from "../../ui/table/columns.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Empty, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import { Passwords } from "./passwords.tsx";
import css from "./people.module.css";
import { PersonLinks } from "./person-links.tsx";
import { PersonNarrowing } from "./person-narrowing.tsx";
import { Providers } from "./providers.tsx";
import { SecondStep } from "./second-step.tsx";

const roleWords: Record<Role, string> = {
  owner: t`Owner: everything, and people`,
  operator: t`Operator: submits, stops, drains`,
  viewer: t`Viewer: looks`,
};
const roleChoices = roles.map((role) => [role, roleWords[role]] as const);
/** In the list, where there is less room: what each may do is said where people are added. */
const roleNames: Record<Role, string> = { owner: t`Owner`, operator: t`Operator`, viewer: t`Viewer` };
const roleNameChoices = roles.map((role) => [role, roleNames[role]] as const);

/** The people who may sign in, and their roles. */
export const PeoplePage = () => {
  const isOwner = useMay("owner");
  if (isOwner) return <People />;
  return (
    <Page title={t`People`}>
      <Empty title={t`Only an owner sees who may sign in.`} />
    </Page>
  );
};

const People = () => {
  const { data: people, error } = useQuery(peopleQuery);
  const say = useSay();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<string>();
  const [renewing, setRenewing] = useState<string>();
  const [clearing, setClearing] = useState<string>();
  const change = useMutation({
    mutationFn: (act: () => Promise<unknown>) => act(),
    onError: (problem) => say(messageOf(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: ["people"] }),
  });
  return (
    <Page title={t`People`}>
      <Columns
        side={
          <>
            <NewPerson />
            <Passwords />
            <SecondStep />
          </>
        }
      >
        <ListPanel
          title={t`May sign in`}
          entries={people}
          error={error}
          item={({ name, role, created, provider, second_step, links, only_tags, only_groups }) => (
            <Person
              key={name}
              {...{ name, role, created, provider, links }}
              narrowed={{ tags: only_tags, groups: only_groups }}
              hasSecondStep={second_step}
              onRole={(wanted) => change.mutate(() => request("updatePerson", { name, role: wanted }))}
              onRenew={() => setRenewing(name)}
              onClear={() => setClearing(name)}
              onRemove={() => setLeaving(name)}
            />
          )}
        />
        <Providers />
      </Columns>
      <Confirm
        title={t`Remove ${leaving ?? ""}?`}
        text={t`They are signed out everywhere and can no longer sign in. Their jobs continue.`}
        keep={t`Keep them`}
        go={t`Remove`}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => change.mutate(() => request("deletePerson", { name: leaving ?? "" }))}
      />
      <Confirm
        title={t`Remove the second step of ${clearing ?? ""}?`}
        text={t`Their passkeys, codes and recovery codes open nothing any more. Their password stays.`}
        keep={t`Keep it`}
        go={t`Remove`}
        isOpen={clearing !== undefined}
        onClose={() => setClearing(undefined)}
        onGo={() => change.mutate(() => request("clearSecondSteps", { name: clearing ?? "" }))}
      />
      <Dialog
        title={t`New password for ${renewing ?? ""}`}
        isOpen={renewing !== undefined}
        onClose={() => setRenewing(undefined)}
      >
        <Renewal
          onSave={async (password) => {
            await change.mutateAsync(() => request("updatePerson", { name: renewing ?? "", password }));
            say(t`The password is changed.`);
            setRenewing(undefined);
          }}
        />
      </Dialog>
    </Page>
  );
};

type PersonProps = {
  readonly name: string;
  readonly role: Role;
  readonly created: string;
  /** Who vouches for them, and decides on their role. */
  readonly provider: string | undefined;
  readonly links: readonly string[];
  readonly narrowed: Narrowed;
  readonly hasSecondStep: boolean;
  readonly onRole: (role: Role) => void;
  readonly onRenew: () => void;
  readonly onClear: () => void;
  readonly onRemove: () => void;
};

const Person = (person: PersonProps) => {
  const { name, role, created, provider, links, narrowed, hasSecondStep, onRole, onRenew, onClear, onRemove } = person;
  const now = useNow();
  const session = useSession();
  const isNarrowed = narrowed.tags.length + narrowed.groups.length > 0;
  return (
    <Item
      name={<Words text={name} />}
      below={
        name === session.name ? t`since ${shortTime(created, now)}, this is you` : t`since ${shortTime(created, now)}`
      }
      note={
        provider === undefined ? (
          <span className={css.role}>
            <Choice label={t`Role of ${name.slice(0, 40)}`} value={role} choices={roleNameChoices} onChoose={onRole} />
          </span>
        ) : (
          t`${translated(role)}, by ${provider}`
        )
      }
      actions={
        <>
          {provider === undefined && (
            <Button onClick={onRenew}>
              <Trans>New password…</Trans>
            </Button>
          )}
          {(role === "operator" || isNarrowed) && <PersonNarrowing name={name} narrowed={narrowed} />}
          <PersonLinks name={name} links={links} />
          {hasSecondStep && (
            <Button aria-label={t`Remove the second step of ${name}…`} onClick={onClear}>
              <Trans>Second step…</Trans>
            </Button>
          )}
          <Button onClick={onRemove}>
            <Trans>Remove…</Trans>
          </Button>
        </>
      }
    />
  );
};

const NewPerson = () => {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [role, setRole] = useState<Role>("operator");
  const create = useMutation({
    mutationFn: () => request("createPerson", { name, password, role }),
    onSuccess: async () => {
      setName("");
      setPassword("");
      await queries.invalidateQueries({ queryKey: ["people"] });
    },
  });
  return (
    <Panel title={t`Add a person`}>
      <Form onSend={() => create.mutate()}>
        <Field
          label={t`Name`}
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(e) => setName(e.target.value)}
        />
        <NewPassword
          label={t`First password`}
          advice={t`tell it to them in person`}
          value={password}
          onChange={setPassword}
        />
        <Choice label={t`Role`} value={role} choices={roleChoices} onChoose={setRole} />
        {create.error && <Notice tone="failed">{messageOf(create.error)}</Notice>}
        <Button look="primary" type="submit" disabled={create.isPending}>
          <Trans>Add</Trans>
        </Button>
      </Form>
    </Panel>
  );
};

const Renewal = ({ onSave }: { readonly onSave: (password: string) => Promise<void> }) => {
  const [password, setPassword] = useState("");
  return (
    // A refusal is shown as a toast.
    <Form onSend={() => void onSave(password).catch(() => {})}>
      <NewPassword label={t`Password`} value={password} onChange={setPassword} />
      <Button look="primary" type="submit">
        <Trans>Change the password</Trans>
      </Button>
    </Form>
  );
};
