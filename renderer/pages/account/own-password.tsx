import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { AppError } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { useSession } from "../../data/session.tsx";
import { faultText, refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Fields, Form } from "../../ui/controls/form.tsx";
import { NewPassword } from "../../ui/controls/new-password.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Notice } from "../../ui/text/notice.tsx";

/** One's password, for whoever has one here. */
export const OwnPassword = () => {
  const { provider, is_local } = useSession();
  if (provider === undefined || is_local) return <ChangePassword />;
  return (
    <Panel title={t`Your sign-in`}>
      <Fields>
        <p>
          <Trans>
            {provider} lets you in. Your role comes from your groups there, and you have no password on this farm.
          </Trans>
        </p>
      </Fields>
    </Panel>
  );
};

/** A change signs the person out everywhere else. */
const ChangePassword = () => {
  const say = useSay();
  const [password, setPassword] = useState("");
  const [wanted, setWanted] = useState("");
  const change = useMutation({
    mutationFn: () => request("changePassword", { password, new_password: wanted }),
    onSuccess: () => {
      setPassword("");
      setWanted("");
      say(t`Your password is changed. You are signed out everywhere else.`);
    },
  });
  const faults = change.error instanceof AppError ? change.error.details : [];
  const faultAt = (path: string) => faultText(change.error, path);
  return (
    <Panel title={t`Your password`}>
      <Form onSend={() => change.mutate()}>
        <Field
          label={t`Password now`}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          fault={faultAt("password")}
          onChange={(e) => setPassword(e.target.value)}
        />
        <NewPassword label={t`New password`} value={wanted} fault={faultAt("new_password")} onChange={setWanted} />
        {change.error && faults.length === 0 && <Notice tone="failed">{refusalText(change.error)}</Notice>}
        <Button type="submit" disabled={change.isPending}>
          <Trans>Change the password</Trans>
        </Button>
      </Form>
    </Panel>
  );
};
