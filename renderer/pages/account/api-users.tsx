import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ApiUser } from "../../../shared/account.ts";
import { messageOf } from "../../../shared/errors.ts";
import { request } from "../../data/client.ts";
import { useNow } from "../../data/link.ts";
import { apiUsersQuery } from "../../data/queries.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm, Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Fields, Form } from "../../ui/form.tsx";
import { shortTime } from "../../ui/format.ts";
import { Item, ListPanel } from "../../ui/list.tsx";
import { Empty, Notice } from "../../ui/notice.tsx";
import { Secrets } from "../../ui/secrets.tsx";
import { useSay } from "../../ui/toast.tsx";
import { Words } from "../../ui/words.tsx";

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
      title="API users"
      entries={users}
      error={error}
      empty={<Empty title="No program can log in. Create an API user below." />}
      item={(user) => (
        <Item
          key={user.auth_key}
          name={<Words text={user.name || "without a name"} />}
          below={<code>{user.auth_key}</code>}
          note={usedWords(user, now)}
          actions={
            <Button aria-label={`Revoke ${user.auth_key}…`} onClick={() => setLeaving(user)}>
              Revoke…
            </Button>
          }
        />
      )}
    >
      <NewApiUser />
      <Confirm
        title={`Revoke ${leaving?.name || leaving?.auth_key || ""}?`}
        text={`It can no longer log in, and its ${tokens(leaving?.live_tokens ?? 0)} at once. Its jobs continue.`}
        keep="Keep it"
        go="Revoke"
        isOpen={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        onGo={() => leaving && revoke.mutate(leaving.auth_key)}
      />
    </ListPanel>
  );
};

const tokens = (count: number): string => (count === 1 ? "1 live token ends" : `${count} live tokens end`);

const usedWords = ({ created, last_login: last, live_tokens: live }: ApiUser, now: number): string =>
  `made ${shortTime(created, now)}, ${last ? `last login ${shortTime(last, now)}` : "never logged in"}, ${live} live ${
    live === 1 ? "token" : "tokens"
  }`;

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
        label="Name of a new API user"
        hint="A label for people: the program that uses it"
        autoComplete="off"
        maxLength={100}
        required
        value={name}
        onChange={(e) => setName(e.target.value)}
      />
      {create.error && <Notice tone="failed">{messageOf(create.error)}</Notice>}
      <Button look="primary" type="submit" disabled={create.isPending}>
        Make an API user
      </Button>
      <Dialog title="Shown only once" isOpen={create.data !== undefined} onClose={() => create.reset()}>
        <Fields>
          <p>Give both to the program now: the secret cannot be looked up again.</p>
          {create.data && <Secrets values={create.data} />}
          <Button look="primary" hint="Esc" onClick={() => create.reset()}>
            I have kept it
          </Button>
        </Fields>
      </Dialog>
    </Form>
  );
};
