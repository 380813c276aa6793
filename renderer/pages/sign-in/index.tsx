import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Sheet } from "../../ui/overlays/sheet.tsx";
import { Notice } from "../../ui/text/notice.tsx";

/** Name and password; the coordinator answers with the session's cookie. */
export const SignInPage = () => {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const signIn = useMutation({
    mutationFn: () => request("signIn", { name, password }),
    onSuccess: (session) => queries.setQueryData(["session"], session),
  });
  return (
    <Sheet title={t`Sign in`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          signIn.mutate();
        }}
      >
        <Field
          label={t`Name`}
          autoComplete="username"
          required
          value={name}
          onChange={(e) => setName(e.target.value)}
        />
        <Field
          label={t`Password`}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(e) => setPassword(e.target.value)}
        />
        {signIn.error && <Notice tone="failed">{messageOf(signIn.error)}</Notice>}
        <Button look="primary" type="submit" disabled={signIn.isPending}>
          <Trans>Sign in</Trans>
        </Button>
      </form>
    </Sheet>
  );
};
