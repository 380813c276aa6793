import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { ApiUser } from "../../../shared/people/account.ts";
import { request } from "../../data/client.ts";
import { useNow } from "../../data/link.ts";
import { apiUsersQuery } from "../../data/queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Fields, Form } from "../../ui/controls/form.tsx";
import { Confirm, Dialog } from "../../ui/overlays/dialog.tsx";
import { Secrets } from "../../ui/overlays/secrets.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Empty, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";

/** The second of the API's two layers: the users who may log in. */
export const ApiUsers = () => {
  const { data: users, error } = useQuery(apiUsersQuery);
  const now = useNow();
  const say = useSay();
  const queries = useQueryClient();
  const [leaving, setLeaving] = useState<ApiUser>();
  const revoke = useMutation({
    mutationFn: (auth_key: string) => request("revokeApiUser", { auth_key }),
    onError: (problem) => say(messageOf(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: ["api-users"] }),
  });
  return (
    <ListPanel
      title={t`API users`}
      entries={users}
      error={error}
      empty={<Empty title={t`No program can log in. Create an API user below.`} />}
      item={(user) => (
        <Item
          key={user.auth_key}
          name={<Words text={user.name || t`without a name`} isOurs={user.name === ""} />}
          below={<code>{user.auth_key}</code>}
          note={usedWords(user, now)}
          actions={
            <Button aria-label={t`Revoke ${user.auth_key}…`} onClick={() => setLeaving(user)}>
              <Trans>Revoke…</Trans>
            </Button>
          }
        />
      )}
    >
      <NewApiUser />
      <Confirm
        title={t`Revoke ${leaving?.name || leaving?.auth_key || ""}?`}
        text={plural(leaving?.live_tokens ?? 0, {
          one: "It can no longer log in, and its # live token ends at once. Its jobs continue.",
          other: "It can no longer log in, and its # live tokens end at once. Its jobs continue.",
        })}
        keep={t`Keep it`}
        go={t`Revoke`}
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => leaving && revoke.mutate(leaving.auth_key)}
      />
    </ListPanel>
  );
};

const usedWords = ({ created, last_login: last, live_tokens: live }: ApiUser, now: number): string =>
  [
    t`made ${shortTime(created, now)}`,
    last ? t`last login ${shortTime(last, now)}` : t`never logged in`,
    plural(live, { one: "# live token", other: "# live tokens" }),
  ].join(", ");

/** Its secret is shown once, in a dialog. */
const NewApiUser = () => {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const create = useMutation({
    mutationFn: () => request("createApiUser", { name }),
    onSuccess: async () => {
      setName("");
      await queries.invalidateQueries({ queryKey: ["api-users"] });
    },
  });
  return (
    <Form onSend={() => create.mutate()}>
      <Field
        label={t`Name of a new API user`}
        hint={t`A label for people: the program that uses it`}
        autoComplete="off"
        maxLength={100}
        required
        value={name}
        onChange={(e) => setName(e.target.value)}
      />
      {create.error && <Notice tone="failed">{messageOf(create.error)}</Notice>}
      <Button look="primary" type="submit" disabled={create.isPending}>
        <Trans>Make an API user</Trans>
      </Button>
      <Dialog title={t`Shown only once`} isOpen={create.data !== undefined} onClose={() => create.reset()}>
        <Fields>
          <p>
            <Trans>Give both to the program now: the secret cannot be looked up again.</Trans>
          </p>
          {create.data && <Secrets values={Object.entries(create.data)} />}
          <Button look="primary" hint="Esc" onClick={() => create.reset()}>
            <Trans>I have kept it</Trans>
          </Button>
        </Fields>
      </Dialog>
    </Form>
  );
};
