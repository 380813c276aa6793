import { t } from "@lingui/core/macro";
import { useMutation } from "@tanstack/react-query";
import type { z } from "zod";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { credentialTest } from "../../../shared/credentials/vault.ts";
import { request } from "../../data/client.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { State } from "../../ui/text/state.tsx";
import { Words } from "../../ui/text/words.tsx";
import css from "./farm.module.css";

/** Asks every connected node whether it can open storage with a credential, and shows each one's answer. */
export const Trial = ({
  what,
  label,
}: {
  readonly what: () => z.input<typeof credentialTest>;
  readonly label: string;
}) => {
  const trial = useMutation({
    mutationFn: () => request("tryCredential", what()),
  });
  return (
    <>
      <Button aria-label={label} disabled={trial.isPending} onClick={() => trial.mutate()}>
        {trial.isPending ? t`Trying…` : t`Test`}
      </Button>
      <div className={css.trial} role="status">
        {trial.error && <Notice tone="failed">{messageOf(trial.error)}</Notice>}
        {trial.data && (
          <ul aria-label={t`What nodes say`}>
            {trial.data.items.map(({ node, success, message }) => (
              <li key={node}>
                <State state={success ? "completed" : "failed"} word={success ? t`Opens` : t`Does not open`} />
                <Words text={node} />
                <Words text={message} wraps className={css.quiet} />
              </li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
};
