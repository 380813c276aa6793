import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { linkState } from "../../../shared/people/identity.ts";
import { request } from "../../data/client.ts";
import { refusalText } from "../../language/words.ts";
import { Sheet } from "../../ui/overlays/sheet.tsx";
import { Loading, Notice } from "../../ui/text/notice.tsx";
import type { SignedInSearch } from "./search.ts";

const route = getRouteApi("/signed-in");

/** Where identity providers send people back to: signs them in or links their account, and goes on to the page they wanted. */
export const SignedInPage = () => {
  const { state, ...answer }: SignedInSearch = route.useSearch();
  const queries = useQueryClient();
  const finish = useMutation({
    mutationFn: async (): Promise<string | null> => {
      const given = { ...answer, oauth_state: state };
      if (state.startsWith(linkState)) return (await request("finishLink", given)).page;
      const { page, ...session } = await request("finishSignIn", given);
      queries.clear();
      queries.setQueryData(["session"], session);
      return page;
    },
    onSuccess: (page) => {
      // Behind the #, so it is a page of this farm whatever it is. What was answered leaves the history.
      location.replace(`#${page ?? "/overview"}`);
    },
  });
  const isAsked = useRef(false);
  useEffect(() => {
    // An answer works once.
    if (isAsked.current) return;
    isAsked.current = true;
    finish.mutate();
  }, [finish.mutate]);
  return (
    <Sheet title={t`Sign in`}>
      {finish.error ? (
        <>
          <Notice tone="failed">{refusalText(finish.error)}</Notice>
          <p>
            {state.startsWith(linkState) ? (
              <a href="#/account">
                <Trans>Back to your account</Trans>
              </a>
            ) : (
              <a href="#/overview">
                <Trans>Back to signing in</Trans>
              </a>
            )}
          </p>
        </>
      ) : (
        <Loading what={answer.provider} />
      )}
    </Sheet>
  );
};
