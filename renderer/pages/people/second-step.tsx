import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Role } from "../../../shared/people/person.ts";
import { request } from "../../data/client.ts";
import { identityQuery } from "../../data/identity-queries.ts";
import { refusalText } from "../../language/words.ts";
import { Choice } from "../../ui/controls/field.tsx";
import { Fields } from "../../ui/controls/form.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { Notice } from "../../ui/text/notice.tsx";

/** Who needs a passkey or codes beside the password. */
export const SecondStep = () => {
  const { data } = useQuery(identityQuery);
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (from: Role | null) => request("setSecondStep", { from }),
    onSuccess: (view) => queries.setQueryData(identityQuery.queryKey, view),
  });
  if (!data?.passwords) return null;
  return (
    <Panel title={t`Second step`}>
      <Fields>
        <p>
          <Trans>
            Who needs one is led to set up a passkey or codes at the next sign-in. Identity providers ask for what they
            want themselves.
          </Trans>
        </p>
        <Choice<Role | "nobody">
          label={t`Needed beside the password by`}
          value={data.second_step ?? "nobody"}
          choices={[
            ["nobody", t`nobody: people choose themselves`],
            ["owner", t`owners`],
            ["operator", t`owners and operators`],
            ["viewer", t`everybody`],
          ]}
          onChoose={(from) => change.mutate(from === "nobody" ? null : from)}
        />
        {change.error && <Notice tone="failed">{refusalText(change.error)}</Notice>}
      </Fields>
    </Panel>
  );
};
