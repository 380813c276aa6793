import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../../data/client.ts";
import { refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Confirm } from "../../ui/overlays/dialog.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";

/** The accounts at providers by which somebody comes in as well; an owner may end each. */
export const PersonLinks = ({ name, links }: { readonly name: string; readonly links: readonly string[] }) => {
  const queries = useQueryClient();
  const say = useSay();
  const [ending, setEnding] = useState<string>();
  const end = useMutation({
    mutationFn: (provider: string) => request("endPersonLink", { name, provider }),
    onError: (problem) => say(refusalText(problem)),
    onSettled: () => queries.invalidateQueries({ queryKey: ["people"] }),
  });
  return (
    <>
      {links.map((provider) => (
        <Button
          key={provider}
          aria-label={t`Link to ${provider}… of ${name}: end it`}
          onClick={() => setEnding(provider)}
        >
          <Trans>Link to {provider}…</Trans>
        </Button>
      ))}
      <Confirm
        title={t`End the link of ${name} to ${ending ?? ""}?`}
        text={t`It no longer signs them in, and where they came by it, they are signed out. Their other ways in stay.`}
        keep={t`Keep it`}
        go={t`End the link`}
        isOpen={ending !== undefined}
        onClose={() => setEnding(undefined)}
        onGo={() => ending !== undefined && end.mutate(ending)}
      />
    </>
  );
};
