import { t } from "@lingui/core/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { browserName } from "../../../shared/people/browser-name.ts";
import type { NewCodes } from "../../../shared/people/second-steps.ts";
import { request } from "../../data/client.ts";
import { makePasskey } from "../../data/passkeys.ts";
import { faultText, refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { RecoveryCodes } from "../../ui/sign-in/recovery-codes.tsx";
import { SetUpCodes } from "../../ui/sign-in/set-up-codes.tsx";
import { Notice } from "../../ui/text/notice.tsx";

/** What somebody wants of their second steps. */
export type StepWish =
  | { readonly do: "addPasskey" | "setUpCodes" | "removeCodes" | "renewRecovery" }
  | { readonly do: "removePasskey"; readonly id: string; readonly name: string };

/** What came of it: codes that wait for a first one, recovery codes to keep, or nothing to show. */
type Made = { readonly codes: NewCodes } | { readonly recovery: readonly string[] };
type Given = { readonly password: string; readonly name: string };

const done: Made = { recovery: [] };

const act = async (wish: StepWish, { password, name }: Given): Promise<Made> => {
  switch (wish.do) {
    case "addPasskey":
      return request("addPasskey", { ...(await makePasskey(await request("beginPasskey", { password }))), name });
    case "setUpCodes":
      return { codes: await request("beginCodes", { password }) };
    case "renewRecovery":
      return request("renewRecovery", { password });
    case "removeCodes":
      await request("removeCodes", { password });
      return done;
    case "removePasskey":
      await request("removePasskey", { passkey_id: wish.id, password });
      return done;
  }
};

const wordsOf = (wish: StepWish): { readonly title: string; readonly go: string; readonly text?: string } => {
  const removal = t`It opens nothing any more. Without a passkey or codes, your password alone signs you in.`;
  switch (wish.do) {
    case "addPasskey":
      return { title: t`Add a passkey`, go: t`Add` };
    case "setUpCodes":
      return { title: t`Set up codes`, go: t`Go on` };
    case "renewRecovery":
      return { title: t`New recovery codes`, go: t`Make them`, text: t`The old ones open nothing any more.` };
    case "removeCodes":
      return { title: t`Remove the codes?`, go: t`Remove`, text: removal };
    case "removePasskey":
      return { title: t`Remove ${wish.name}?`, go: t`Remove`, text: removal };
  }
};

/** Asks for the password once more, and leads on from there. */
export const StepDialog = ({ wish, onClose }: { readonly wish: StepWish; readonly onClose: () => void }) => {
  const queries = useQueryClient();
  const [given, setGiven] = useState<Given>({ password: "", name: browserName(navigator.userAgent) ?? "" });
  const [made, setMade] = useState<Made>();
  const onSuccess = (next: Made) => {
    if ("recovery" in next && next.recovery.length === 0) onClose();
    else setMade(next);
  };
  const onSettled = () => queries.invalidateQueries({ queryKey: ["second-steps"] });
  const first = useMutation({ mutationFn: () => act(wish, given), onSuccess, onSettled });
  const confirm = useMutation({
    mutationFn: (one_time_code: string) => request("confirmCodes", { one_time_code }),
    onSuccess,
    onSettled,
  });
  const { title, go, text } = wordsOf(wish);
  const fault = faultText(first.error, "password");
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      {made && "codes" in made && (
        <SetUpCodes codes={made.codes} isPending={confirm.isPending} error={confirm.error} onCode={confirm.mutate} />
      )}
      {made && "recovery" in made && <RecoveryCodes codes={made.recovery} onDone={onClose} />}
      {!made && (
        <Form onSend={() => first.mutate()}>
          {text !== undefined && <p>{text}</p>}
          {wish.do === "addPasskey" && (
            <Field
              label={t`Name of the passkey`}
              hint={t`By which you recognise the device that keeps it`}
              required
              maxLength={100}
              value={given.name}
              onChange={(event) => setGiven({ ...given, name: event.target.value })}
            />
          )}
          <Field
            label={t`Your password again`}
            type="password"
            autoComplete="current-password"
            required
            value={given.password}
            {...(fault !== undefined && { fault })}
            onChange={(event) => setGiven({ ...given, password: event.target.value })}
          />
          {first.error && fault === undefined && <Notice tone="failed">{refusalText(first.error)}</Notice>}
          <Button look="primary" type="submit" disabled={first.isPending}>
            {go}
          </Button>
        </Form>
      )}
    </Dialog>
  );
};
