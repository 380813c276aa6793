import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { ApiUser } from "../../../shared/people/account.ts";
import { scopes as allScopes } from "../../../shared/people/scopes.ts";
import { request } from "../../data/client.ts";
import { useNow } from "../../data/link.ts";
import { apiUsersQuery } from "../../data/queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Confirm } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Empty } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./account.module.css";
import { NewApiUser } from "./new-api-user.tsx";
import { reachTexts, scopeTexts } from "./power-words.ts";

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
        >
          <p className={css.power}>{powerWords(user)}</p>
        </Item>
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

/** What it may do, and to whose jobs and presets. */
const powerWords = ({ scopes, reach, group }: ApiUser): string => {
  const isAll = scopes.length === allScopes.length;
  const may = isAll ? t`Everything` : scopes.map((scope) => scopeTexts()[scope]).join(" · ");
  const reaches = t`It reaches ${reachTexts()[reach]}.`;
  return [may || t`It may do nothing`, reaches, ...(group === null ? [] : [t`Group: ${group}`])].join(" — ");
};

const usedWords = (
  { created, last_login: login, last_used: used, live_tokens: live, expires }: ApiUser,
  now: number,
): string =>
  [
    t`made ${shortTime(created, now)}`,
    login ? t`last login ${shortTime(login, now)}` : t`never logged in`,
    ...(used ? [t`last used ${shortTime(used, now)}`] : []),
    plural(live, { one: "# live token", other: "# live tokens" }),
    ...(expires ? [endWords(expires, now)] : []),
  ].join(", ");

const endWords = (expires: string, now: number): string =>
  Date.parse(expires) > now ? t`expires ${shortTime(expires, now)}` : t`expired ${shortTime(expires, now)}`;
