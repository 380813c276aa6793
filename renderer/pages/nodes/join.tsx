import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { farmQuery, joinTokenQuery } from "../../data/queries.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, useText } from "../../ui/controls/field.tsx";
import { Fields } from "../../ui/controls/form.tsx";
import { Secrets } from "../../ui/overlays/secrets.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Loading, Notice } from "../../ui/text/notice.tsx";
import { joinCommand, tunnelCommand } from "./join-command.ts";

/** Commands for joining another machine, ready to be copied. For owners: whoever has the token can join. */
export const Join = () => {
  const { data: token, error } = useQuery(joinTokenQuery);
  const { data: farm } = useQuery(farmQuery);
  const folder = useText();
  if (error) return <Notice tone="failed">{messageOf(error)}</Notice>;
  if (token === undefined) return <Loading what={t`the join token`} rows={2} />;
  const tunnel = tunnelCommand(token, farm?.host ?? "the-coordinator");
  return (
    <Fields>
      <p>
        <Trans>Install Mediafarm on the machine and run the command there. The node then appears here.</Trans>
      </p>
      <Field
        label={t`Folder on that machine that jobs may read and write`}
        hint={t`Such as /mnt/projects or D:\\projects. Apart from the farm's mounts, jobs can use no other files there`}
        autoComplete="off"
        {...folder.input}
      />
      {tunnel !== undefined && (
        <Notice tone="late">
          <Trans>
            Only the coordinator's own computer can reach this farm. Other computers join through a tunnel, which the
            first command opens. Or start the farm with <code>--host</code> and an address that the others can reach.
          </Trans>
        </Notice>
      )}
      <Secrets
        values={[
          ...(tunnel === undefined ? [] : [[t`Tunnel, to be left open`, tunnel] as const]),
          [t`Command`, joinCommand(token, folder.text)],
          [t`Join token, for the desktop app`, token],
        ]}
      />
      <Renewal />
    </Fields>
  );
};

/** Confirmed: the old token stops working everywhere. */
const Renewal = () => {
  const [isSure, setSure] = useState(false);
  const queries = useQueryClient();
  const say = useSay();
  const renew = useMutation({
    mutationFn: () => request("renewJoinToken", {}),
    onSuccess: ({ join_token }) => {
      queries.setQueryData(joinTokenQuery.queryKey, join_token);
      setSure(false);
      say(t`The join token is replaced.`);
    },
    onError: (problem) => say(messageOf(problem)),
  });
  if (!isSure)
    return (
      <Button onClick={() => setSure(true)}>
        <Trans>Make a new token…</Trans>
      </Button>
    );
  const [keep, go] = [
    <Button key="keep" onClick={() => setSure(false)}>
      <Trans>Keep the old one</Trans>
    </Button>,
    <Button key="go" disabled={renew.isPending} onClick={() => renew.mutate()}>
      <Trans>Replace the token</Trans>
    </Button>,
  ];
  return (
    <Notice tone="failed" action={[keep, go]}>
      <Trans>
        The old one stops working at once, also in scripts. Nodes that have joined have their own keys and stay.
      </Trans>
    </Notice>
  );
};
