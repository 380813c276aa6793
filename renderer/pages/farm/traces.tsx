import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { TracesView } from "../../../shared/outbound/traces.ts";
import { request } from "../../data/client.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Field, useText } from "../../ui/controls/field.tsx";
import { Fields, Form } from "../../ui/controls/form.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { Loading, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";

/** Looked at again and again: no event tells what a collector says. */
const tracesQuery = queryOptions({
  queryKey: ["traces"],
  staleTime: 0,
  refetchInterval: 10_000,
  queryFn: ({ signal }) => request("getTraces", {}, { signal }),
});

/** Where traces of jobs go: to a collector of OpenTelemetry, or nowhere. */
export const Traces = () => {
  const { data, error } = useQuery(tracesQuery);
  const isOwner = useMay("owner");
  return (
    <Panel title={t`Traces`}>
      {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {!data && !error && <Loading what={t`where traces go`} rows={2} />}
      {data && <Now traces={data} />}
      {data && isOwner && data.set_by !== "environment" && <Change traces={data} />}
    </Panel>
  );
};

const Now = ({ traces: { collector, set_by, waiting, failure } }: { readonly traces: TracesView }) => (
  <>
    {failure !== null && (
      <Notice tone="failed">
        <Words text={failure} wraps />
      </Notice>
    )}
    <Fields>
      <p>
        {collector === null ? (
          <Trans>Traces of jobs are sent nowhere.</Trans>
        ) : (
          <>
            <Trans>
              Traces of ended jobs are sent to <Words text={collector} wraps />.
            </Trans>{" "}
            {set_by === "environment" && <Trans>The environment of the coordinator says so.</Trans>}{" "}
            {waiting > 0 && plural(waiting, { one: "# job is not sent yet.", other: "# jobs are not sent yet." })}
          </>
        )}
      </p>
    </Fields>
  </>
);

const Change = ({ traces: { collector, headers, ratio } }: { readonly traces: TracesView }) => {
  const url = useText();
  const share = useText(String(100 * ratio));
  const header = useText(headers[0] ?? "");
  const value = useText();
  const queries = useQueryClient();
  const say = useSay();
  const change = useMutation({
    mutationFn: (to: string | null) =>
      request("setTraces", {
        url: to,
        ratio: Number(share.text) / 100,
        sampler: share.text === "100" ? "parentbased_always_on" : "parentbased_traceidratio",
        ...(value.text !== "" && { headers: [{ name: header.text, value: value.text }] }),
      }),
    onSuccess: (view) => {
      queries.setQueryData(tracesQuery.queryKey, view);
      say(view.collector === null ? t`No traces are sent any more.` : t`Traces are sent from now on.`);
    },
  });
  return (
    <Form onSend={() => change.mutate(url.text)}>
      <Field
        label={t`Address of the collector`}
        hint={t`OTLP over HTTP, with its path: http://collector:4318/v1/traces`}
        type="url"
        required
        maxLength={2000}
        {...url.input}
      />
      <Field label={t`Share of jobs, in percent`} type="number" required min={0} max={100} {...share.input} />
      <Field
        label={t`Name of a header, if it asks for one`}
        maxLength={200}
        required={value.text !== ""}
        {...header.input}
      />
      <Field
        label={t`Value of this header`}
        hint={t`Stored encrypted, and never shown. Left empty, it stays as long as the collector does`}
        type="password"
        autoComplete="off"
        maxLength={8000}
        {...value.input}
      />
      {change.error && <Notice tone="failed">{messageOf(change.error)}</Notice>}
      <Button type="submit" disabled={change.isPending || url.text === ""}>
        <Trans>Send traces there</Trans>
      </Button>
      {collector !== null && (
        <Button onClick={() => change.mutate(null)} disabled={change.isPending}>
          <Trans>Send no traces</Trans>
        </Button>
      )}
    </Form>
  );
};
