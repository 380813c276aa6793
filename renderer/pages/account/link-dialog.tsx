import { t } from "@lingui/core/macro";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { AccountLinks } from "../../../shared/people/identity.ts";
import { request } from "../../data/client.ts";
import { linksQuery } from "../../data/identity-queries.ts";
import { faultText, refusalText } from "../../language/words.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field } from "../../ui/controls/field.tsx";
import { Form } from "../../ui/controls/form.tsx";
import { Dialog } from "../../ui/overlays/dialog.tsx";
import { Notice } from "../../ui/text/notice.tsx";

/** What somebody wants of a link to a provider. */
export type LinkWish = { readonly do: "beginLink" | "endLink"; readonly provider: string };

type Props = { readonly wish: LinkWish; readonly asks: AccountLinks["asks"]; readonly onClose: () => void };

/** Asks for the password or a code once more; then goes on to the provider, or ends the link. */
export const LinkDialog = ({ wish: { do: wanted, provider }, asks, onClose }: Props) => {
  const queries = useQueryClient();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const isLinking = wanted === "beginLink";
  const act = useMutation({
    mutationFn: async () => {
      const again = { ...(password !== "" && { password }), ...(code !== "" && { one_time_code: code }) };
      if (isLinking) location.assign((await request("beginLink", { provider, ...again })).go_to);
      else await request("endLink", { provider, ...again });
    },
    onSuccess: async () => {
      if (isLinking) return;
      onClose();
      // Whoever came by this link is signed out with it.
      await queries.invalidateQueries({ queryKey: ["session"] });
      await queries.invalidateQueries({ queryKey: linksQuery.queryKey });
    },
  });
  const faults = [faultText(act.error, "password"), faultText(act.error, "one_time_code")] as const;
  const [passwordFault, codeFault] = faults;
  return (
    <Dialog title={isLinking ? t`Link ${provider}` : t`End the link to ${provider}?`} isOpen onClose={onClose}>
      <Form onSend={() => act.mutate()}>
        <p>
          {isLinking
            ? t`You go on to ${provider}, and come back here.`
            : t`It no longer signs you in, and where you came by it, you are signed out.`}
        </p>
        {asks !== "fresh sign-in" && (
          <Field
            label={t`Your password again`}
            type="password"
            autoComplete="current-password"
            required={code === ""}
            value={password}
            {...(passwordFault !== undefined && { fault: passwordFault })}
            onChange={(event) => setPassword(event.target.value)}
          />
        )}
        {asks === "password or code" && (
          <Field
            label={t`Or a code from your app`}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            {...(codeFault !== undefined && { fault: codeFault })}
            onChange={(event) => setCode(event.target.value)}
          />
        )}
        {act.error && faults.every((each) => each === undefined) && (
          <Notice tone="failed">{refusalText(act.error)}</Notice>
        )}
        <Button look="primary" type="submit" disabled={act.isPending || (isLinking && act.isSuccess)}>
          {isLinking ? t`Go on` : t`End the link`}
        </Button>
      </Form>
    </Dialog>
  );
};
