import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { browserName } from "../../../shared/people/browser-name.ts";
import { request } from "../../data/client.ts";
import { unfinishedQuery } from "../../data/identity-queries.ts";
import { canUsePasskeys, makePasskey } from "../../data/passkeys.ts";
import { refusalText, refusalWords } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { RecoveryCodes } from "../../ui/sign-in/recovery-codes.tsx";
import { SetUpCodes } from "../../ui/sign-in/set-up-codes.tsx";
import { Notice } from "../../ui/text/notice.tsx";

/** The farm wants a second step, and there is none yet: nothing else is possible before. */
export const SetUp = ({ noPasskeys }: { readonly noPasskeys: string | null }) => {
  const queries = useQueryClient();
  const [recovery, setRecovery] = useState<readonly string[]>();
  const onSuccess = (made: { readonly recovery: readonly string[] }) => setRecovery(made.recovery);
  const codes = useMutation({ mutationFn: () => request("beginCodes", {}) });
  const confirm = useMutation({
    mutationFn: (one_time_code: string) => request("confirmCodes", { one_time_code }),
    onSuccess,
  });
  const passkey = useMutation({
    mutationFn: async () => {
      const made = await makePasskey(await request("beginPasskey", {}));
      return request("addPasskey", { ...made, name: browserName(navigator.userAgent) ?? t`A browser` });
    },
    onSuccess,
  });
  const goIn = () => {
    queries.setQueryData(unfinishedQuery.queryKey, null);
    void queries.invalidateQueries({ queryKey: ["session"] });
  };

  if (recovery) return <RecoveryCodes codes={recovery} onDone={goIn} />;
  if (codes.data)
    return (
      <SetUpCodes codes={codes.data} isPending={confirm.isPending} error={confirm.error} onCode={confirm.mutate} />
    );
  const problem = passkey.error ?? codes.error;
  return (
    <>
      <p>
        <Trans>This farm wants a second step beside your password. Choose one to go on:</Trans>
      </p>
      {!canUsePasskeys() && noPasskeys !== null && <p>{refusalWords(noPasskeys)}</p>}
      <form onSubmit={(event) => event.preventDefault()}>
        {canUsePasskeys() && (
          <Button look="primary" disabled={passkey.isPending} onClick={() => passkey.mutate()}>
            <Trans>A passkey on this device</Trans>
          </Button>
        )}
        <Button disabled={codes.isPending} onClick={() => codes.mutate()}>
          <Trans>Codes from an app</Trans>
        </Button>
      </form>
      {problem && <Notice tone="failed">{refusalText(problem)}</Notice>}
    </>
  );
};
