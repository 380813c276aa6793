import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { browserName } from "../../../shared/people/browser-name.ts";
import type { SessionHead } from "../../../shared/people/person.ts";
import { request } from "../../data/client.ts";
import { sessionsQuery } from "../../data/identity-queries.ts";
import { useNow } from "../../data/link.ts";
import { refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Item, ListPanel } from "../../ui/table/list.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Words } from "../../ui/text/words.tsx";

/** Where one is signed in, and since when; each other session can be ended. */
export const Sessions = () => {
  const { data, error } = useQuery(sessionsQuery);
  const queries = useQueryClient();
  const say = useSay();
  const end = useMutation({
    mutationFn: (session_id: string) => request("endSession", { session_id }),
    onError: (problem) => say(refusalText(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  return (
    <ListPanel
      title={t`Where you are signed in`}
      entries={data}
      error={error}
      item={(session) => <Session key={session.id} session={session} onEnd={() => end.mutate(session.id)} />}
    />
  );
};

type SessionProps = { readonly session: SessionHead; readonly onEnd: () => void };

const Session = ({ session: { began, origin, browser, is_this }, onEnd }: SessionProps) => {
  const now = useNow();
  const name = browserName(browser) ?? t`A browser`;
  const since = shortTime(began, now);
  return (
    <Item
      name={<Words text={name} />}
      below={is_this ? t`since ${since}, this is the one you use` : t`since ${since}`}
      note={<Words text={origin} />}
      actions={
        !is_this && (
          <Button aria-label={t`Sign out ${name}, since ${since}`} onClick={onEnd}>
            <Trans>Sign out</Trans>
          </Button>
        )
      }
    />
  );
};
