import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { messageOf } from "../../../shared/basics/errors.ts";
import { request } from "../../data/client.ts";
import { retentionQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { mostExpirationMinutes } from "../../data/static-tables.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Field, useText } from "../../ui/controls/field.tsx";
import { Fields, Form } from "../../ui/controls/form.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Loading, Notice } from "../../ui/text/notice.tsx";

const dayMinutes = 1440;
const mostDays = mostExpirationMinutes / dayMinutes;

/** How long ended jobs stay, with their logs and results. */
export const Retention = () => {
  const { data, error } = useQuery(retentionQuery);
  const isOwner = useMay("owner");
  return (
    <Panel title={t`Retention`}>
      {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {!data && !error && <Loading what={t`the retention`} rows={2} />}
      {data && isOwner && <Days key={data.jobMinutes} minutes={data.jobMinutes} />}
      {data && !isOwner && (
        <Fields>
          <p>
            <Trans>
              Ended jobs are kept for <Plural value={inDays(data.jobMinutes)} one="# day" other="# days" />.
            </Trans>
          </p>
        </Fields>
      )}
    </Panel>
  );
};

const inDays = (minutes: number): number => Math.round((minutes / dayMinutes) * 100) / 100;

const Days = ({ minutes }: { readonly minutes: number }) => {
  const days = useText(String(inDays(minutes)));
  const say = useSay();
  const queries = useQueryClient();
  const wanted = Math.round(Number(days.text) * dayMinutes);
  const change = useMutation({
    mutationFn: () => request("setRetention", { jobMinutes: wanted }),
    onSuccess: (kept) => {
      queries.setQueryData(retentionQuery.queryKey, kept);
      say(
        t`Jobs sent from now on are kept for ${plural(inDays(kept.jobMinutes), { one: "# day", other: "# days" })} after their end.`,
      );
    },
  });
  return (
    <Form onSend={() => change.mutate()}>
      <Field
        label={t`Keep ended jobs for, in days`}
        hint={t`Afterwards they are deleted with their logs and results; the files they made stay. Applies to jobs sent from now on without an expiration of their own. ${mostDays} at most`}
        type="number"
        required
        min={0}
        max={mostDays}
        step="any"
        {...days.input}
      />
      {change.error && <Notice tone="failed">{messageOf(change.error)}</Notice>}
      <Button type="submit" disabled={change.isPending || wanted === minutes || !Number.isFinite(wanted)}>
        <Trans>Change the retention</Trans>
      </Button>
    </Form>
  );
};
