import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { request } from "../../data/client.ts";
import { unfinishedQuery } from "../../data/identity-queries.ts";
import { refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { useTwice } from "../../ui/controls/new-password.tsx";
import { Sheet } from "../../ui/overlays/sheet.tsx";
import { Notice } from "../../ui/text/notice.tsx";

const route = getRouteApi("/reset");

/** The one-time link for a new password: sets it and signs the person in. */
export const ResetPage = () => {
  const { code }: { code: string } = route.useSearch();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { password, isSure, fields } = useTwice();
  const choose = useMutation({
    mutationFn: () => request("signInReset", { code, password }),
    onSuccess: async (entered) => {
      queries.clear();
      queries.setQueryData(["session"], "step" in entered ? null : entered);
      if ("step" in entered) queries.setQueryData(unfinishedQuery.queryKey, entered);
      await navigate({ to: "/overview", replace: true });
    },
  });
  return (
    <Sheet title={t`Choose a password`}>
      <p>
        <Trans>This link works once. All your sessions will be signed out.</Trans>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isSure()) choose.mutate();
        }}
      >
        {fields(t`New password`)}
        {choose.error && <Notice tone="failed">{refusalText(choose.error)}</Notice>}
        {code === "" && (
          <Notice tone="late">
            <Trans>The link has no code. Open it as it was given to you.</Trans>
          </Notice>
        )}
        <Button look="primary" type="submit" disabled={choose.isPending}>
          <Trans>Set the password</Trans>
        </Button>
      </form>
      <p>
        <a href="#/overview">
          <Trans>I know my password: sign in</Trans>
        </a>
      </p>
    </Sheet>
  );
};
