import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { request } from "../../data/client.ts";
import { identityQuery } from "../../data/identity-queries.ts";
import { refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Fields } from "../../ui/controls/form.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Notice } from "../../ui/text/notice.tsx";

/** Whether names with passwords open the pages. There is something to choose once there is a provider. */
export const Passwords = () => {
  const { data } = useQuery(identityQuery);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (passwords: boolean) => request("setIdentity", { passwords }),
    onSuccess: (view) => queries.setQueryData(identityQuery.queryKey, view),
  });
  if (!data || (data.passwords && data.providers.length === 0)) return null;
  return (
    <Panel title={t`Passwords`}>
      <Fields>
        <p>
          {data.passwords ? (
            <Trans>
              People with a password sign in with it. Without passwords, only identity providers let people in; who
              signed in with a password is signed out at once.
            </Trans>
          ) : (
            <Trans>
              No password opens this farm. If no provider lets you in, <code>mediafarm sign-in passwords on</code> on
              the coordinator's machine is the way back.
            </Trans>
          )}
        </p>
        {change.error && <Notice tone="failed">{refusalText(change.error)}</Notice>}
        <Button disabled={change.isPending} onClick={() => change.mutate(!data.passwords)}>
          {data.passwords ? <Trans>Switch passwords off</Trans> : <Trans>Switch passwords on</Trans>}
        </Button>
      </Fields>
    </Panel>
  );
};
