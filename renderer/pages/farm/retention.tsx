import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { messageOf } from "../../../shared/errors.ts";
import { request } from "../../data/client.ts";
import { retentionQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { mostExpirationMinutes } from "../../data/static-tables.ts";
import { Button } from "../../ui/button.tsx";
import { Field, useText } from "../../ui/field.tsx";
import { Fields, Form } from "../../ui/form.tsx";
import { countOf } from "../../ui/format.ts";
import { Loading, Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useSay } from "../../ui/toast.tsx";

const dayMinutes = 1440;
const mostDays = mostExpirationMinutes / dayMinutes;

/** How long ended jobs stay, with their logs and results. */
export const Retention = () => {
  const { data, error } = useQuery(retentionQuery);
  const isOwner = useMay("owner");
  return (
    <Panel title="Retention">
      {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {!data && !error && <Loading what="the retention" rows={2} />}
      {data && isOwner && <Days key={data.jobMinutes} minutes={data.jobMinutes} />}
      {data && !isOwner && (
        <Fields>
          <p>Ended jobs are kept for {countOf(inDays(data.jobMinutes), "day")}.</p>
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
      say(`Jobs sent from now on are kept for ${countOf(inDays(kept.jobMinutes), "day")} after their end.`);
    },
  });
  return (
    <Form onSend={() => change.mutate()}>
      <Field
        label="Keep ended jobs for, in days"
        hint={`Then they are deleted with their logs and results; files that they made stay. Holds for jobs sent from now on that name no expiration of their own. ${mostDays} at most`}
        type="number"
        required
        min={0}
        max={mostDays}
        step="any"
        {...days.input}
      />
      {change.error && <Notice tone="failed">{messageOf(change.error)}</Notice>}
      <Button type="submit" disabled={change.isPending || wanted === minutes || !Number.isFinite(wanted)}>
        Change the retention
      </Button>
    </Form>
  );
};
