import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import type { Unfinished } from "../../../shared/people/second-steps.ts";
import { request } from "../../data/client.ts";
import { unfinishedQuery } from "../../data/identity-queries.ts";
import { canUsePasskeys, takePasskey } from "../../data/passkeys.ts";
import { refusalText, refusalWords } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { CodeField } from "../../ui/sign-in/code-field.tsx";
import { Loading, Notice } from "../../ui/text/notice.tsx";

/** Few need it, and it draws pictures. */
const SetUp = lazy(async () => ({ default: (await import("./set-up.tsx")).SetUp }));

/** What is missing after the right password. */
export const SecondStep = ({ unfinished }: { readonly unfinished: Unfinished }) => {
  const queries = useQueryClient();
  const onBack = () => queries.setQueryData(unfinishedQuery.queryKey, null);
  return (
    <>
      {unfinished.step === "prove" ? (
        <Prove unfinished={unfinished} />
      ) : (
        <Suspense fallback={<Loading what={t`Mediafarm`} />}>
          <SetUp noPasskeys={unfinished.not_here} />
        </Suspense>
      )}
      <Button look="quiet" onClick={onBack}>
        <Trans>Back to signing in</Trans>
      </Button>
    </>
  );
};

/** Signs in with a passkey: alone, or as the second step. */
export const usePasskeySignIn = () => {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => request("signInPasskey", await takePasskey(await request("askPasskey", {}))),
    onSuccess: (session) => {
      queries.setQueryData(unfinishedQuery.queryKey, null);
      queries.setQueryData(["session"], session);
    },
  });
};

const Prove = ({ unfinished: { name, ways, not_here } }: { readonly unfinished: Unfinished }) => {
  const queries = useQueryClient();
  const [isLost, setLost] = useState(false);
  const [code, setCode] = useState("");
  const passkey = usePasskeySignIn();
  const hasCodes = ways.includes("code");
  const isRecovery = isLost || !hasCodes;
  const prove = useMutation({
    mutationFn: () => request("proveStep", isRecovery ? { recovery_code: code } : { one_time_code: code }),
    onSuccess: (session) => {
      queries.setQueryData(unfinishedQuery.queryKey, null);
      queries.setQueryData(["session"], session);
    },
  });
  const hasPasskey = ways.includes("passkey");
  const canPasskey = hasPasskey && canUsePasskeys();
  return (
    <>
      <p>
        <Trans>The password of {name} is right. One more step:</Trans>
      </p>
      {canPasskey && (
        <form onSubmit={(event) => event.preventDefault()}>
          <Button look="primary" disabled={passkey.isPending} onClick={() => passkey.mutate()}>
            <Trans>Use a passkey</Trans>
          </Button>
        </form>
      )}
      {hasPasskey && !canPasskey && (
        <p>{not_here === null ? <Trans>This window has no passkeys.</Trans> : refusalWords(not_here)}</p>
      )}
      {passkey.error && <Notice tone="failed">{refusalText(passkey.error)}</Notice>}
      {(hasCodes || ways.includes("recovery")) && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            prove.mutate();
          }}
        >
          {isRecovery ? (
            <Field
              label={t`Recovery code`}
              autoComplete="off"
              dir="ltr"
              required
              maxLength={40}
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          ) : (
            <CodeField value={code} onChange={setCode} />
          )}
          {prove.error && <Notice tone="failed">{refusalText(prove.error)}</Notice>}
          <Button {...(!canPasskey && { look: "primary" as const })} type="submit" disabled={prove.isPending}>
            <Trans>Sign in</Trans>
          </Button>
        </form>
      )}
      {hasCodes && ways.includes("recovery") && (
        <Button
          look="quiet"
          onClick={() => {
            setLost(!isLost);
            setCode("");
            prove.reset();
          }}
        >
          {isLost ? <Trans>Use a code from my app</Trans> : <Trans>Use a recovery code</Trans>}
        </Button>
      )}
      <p>
        <Trans>If you have lost everything, an owner of this farm can remove your second step.</Trans>
      </p>
    </>
  );
};
