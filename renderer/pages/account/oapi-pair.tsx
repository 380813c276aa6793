import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../../data/client.ts";
import { useNow } from "../../data/link.ts";
import { accountQuery } from "../../data/queries.ts";
import { useSession } from "../../data/session.tsx";
import { faultText, refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Fields, Form } from "../../ui/controls/form.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Secrets } from "../../ui/overlays/secrets.tsx";
import { shortTime } from "../../ui/text/format.ts";
import { Loading, Notice } from "../../ui/text/notice.tsx";
import css from "./account.module.css";

const wishes = {
  showOapiPair: { title: t`Show the OAPI secret`, go: t`Show` },
  renewOapiPair: { title: t`Replace the OAPI pair?`, go: t`Replace` },
} as const;
type Wish = keyof typeof wishes;

/** The first of the API's two layers: the same pair for all programs of the account. */
export const OapiPair = () => {
  const { data: account, error } = useQuery(accountQuery);
  const now = useNow();
  const [wish, setWish] = useState<Wish>();
  return (
    <Panel title={t`OAPI key`}>
      <Fields>
        {error && <Notice tone="failed">{refusalText(error)}</Notice>}
        {!account && !error && <Loading what={t`the account`} rows={2} />}
        {account && (
          <>
            <Secrets values={[[t`OAPI key`, account.oapi_key]]} />
            <p className={css.note}>
              <Trans>
                Every program sends it with its secret as HTTP Basic. Made{" "}
                {shortTime(account.renewed ?? account.created, now)}.
              </Trans>
            </p>
            <p className={css.buttons}>
              <Button onClick={() => setWish("showOapiPair")}>
                <Trans>Show secret…</Trans>
              </Button>
              <Button onClick={() => setWish("renewOapiPair")}>
                <Trans>Make a new pair…</Trans>
              </Button>
            </p>
          </>
        )}
      </Fields>
      {wish && <PairDialog wish={wish} onClose={() => setWish(undefined)} />}
    </Panel>
  );
};

/** Asks for the password once more, then shows the pair. */
const PairDialog = ({ wish, onClose }: { readonly wish: Wish; readonly onClose: () => void }) => {
  const queries = useQueryClient();
  // Whom a provider vouches for has no password here: they came from it just now, or sign in again.
  const { provider } = useSession();
  const [password, setPassword] = useState("");
  const ask = useMutation({
    mutationFn: () => request(wish, provider === undefined ? { password } : {}),
    onSettled: () => queries.invalidateQueries({ queryKey: ["account"] }),
  });
  const { title, go } = wishes[wish];
  const fault = faultText(ask.error, "password");
  return (
    <Dialog title={title} isOpen onClose={onClose} hasOwnClose={ask.data !== undefined}>
      {ask.data ? (
        <Fields>
          <Secrets
            values={[
              [t`OAPI key`, ask.data.oapi_key],
              [t`OAPI secret`, ask.data.oapi_secret],
            ]}
          />
          <Button look="primary" hint="Esc" onClick={onClose}>
            <Trans>Done</Trans>
          </Button>
        </Fields>
      ) : (
        <Form onSend={() => ask.mutate()}>
          {wish === "renewOapiPair" && (
            <p>
              <Trans>The old pair stops working at once, and every program that uses the API needs the new one.</Trans>
            </p>
          )}
          {provider === undefined && (
            <Field
              label={t`Your password again`}
              type="password"
              autoComplete="current-password"
              required
              value={password}
              fault={fault}
              onChange={(e) => setPassword(e.target.value)}
            />
          )}
          {ask.error && fault === undefined && <Notice tone="failed">{refusalText(ask.error)}</Notice>}
          <Button look="primary" type="submit" disabled={ask.isPending}>
            {go}
          </Button>
        </Form>
      )}
    </Dialog>
  );
};
