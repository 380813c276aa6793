import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Navigate, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { AppError } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { unfinishedQuery } from "../../data/identity-queries.ts";
import { sessionQuery } from "../../data/queries.ts";
import { refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { useTwice } from "../../ui/controls/new-password.tsx";
import { Sheet } from "../../ui/overlays/sheet.tsx";
import { Notice } from "../../ui/text/notice.tsx";

const route = getRouteApi("/welcome");

/** The one-time link of the first start: makes the owner and signs them in. */
export const WelcomePage = () => {
  const { code }: { code: string } = route.useSearch();
  const { data: session } = useQuery(sessionQuery);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const { password, isSure, fields } = useTwice();
  const begin = useMutation({
    mutationFn: () => request("signInFirst", { code, name, password }),
    onSuccess: async (entered) => {
      queries.setQueryData(["session"], "step" in entered ? null : entered);
      if ("step" in entered) queries.setQueryData(unfinishedQuery.queryKey, entered);
      await navigate({ to: "/overview", replace: true });
    },
  });
  const details = begin.error instanceof AppError ? begin.error.details : [];
  const faultAt = (path: string) => details.find((each) => each.path === path)?.message;
  // A window that opens the first link again is already signed in.
  if (session) return <Navigate to="/overview" replace />;
  return (
    <Sheet title={t`Welcome. Who owns this farm?`}>
      <p>
        <Trans>Choose a name and a password. As the owner you can let others sign in later.</Trans>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure()) begin.mutate();
        }}
      >
        <Field
          label={t`Your name`}
          autoComplete="username"
          required
          maxLength={100}
          value={name}
          fault={faultAt("name")}
          onChange={(e) => setName(e.target.value)}
        />
        {fields(t`Password`, faultAt("password"))}
        {begin.error && <Notice tone="failed">{refusalText(begin.error)}</Notice>}
        {code === "" && (
          <Notice tone="late">
            <Trans>The link has no code. Open it as the coordinator printed it.</Trans>
          </Notice>
        )}
        <Button look="primary" type="submit" disabled={begin.isPending}>
          <Trans>Begin</Trans>
        </Button>
      </form>
      <p>
        <a href="#/overview">
          <Trans>I have a password already: sign in</Trans>
        </a>
      </p>
    </Sheet>
  );
};
