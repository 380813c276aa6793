import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { BackupsView } from "../../../shared/api/backups.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { BackupSchedule } from "../../../shared/model/backups.ts";
import { request } from "../../data/client.ts";
import { backupsQuery } from "../../data/queries.ts";
import { useMay } from "../../data/session.tsx";
import { Button } from "../../ui/controls/button.tsx";
import { Field, useText } from "../../ui/controls/field.tsx";
import { Fields, Form } from "../../ui/controls/form.tsx";
import { Panel } from "../../ui/layout/panel.tsx";
import { useSay } from "../../ui/overlays/toast.tsx";
import { bytes, dayAndTime } from "../../ui/text/format.ts";
import { Empty, Loading, Notice } from "../../ui/text/notice.tsx";
import { Words } from "../../ui/text/words.tsx";

/** The backups that the farm makes of itself: the last one, how often, and one now. */
export const Backups = () => {
  const { data, error } = useQuery(backupsQuery);
  const isOwner = useMay("owner");
  return (
    <Panel title={t`Backups`} aid={data?.folder != null && <MakeOne isRunning={data.is_running} />}>
      {error && <Notice tone="failed">{messageOf(error)}</Notice>}
      {!data && !error && <Loading what={t`the backups`} rows={2} />}
      {data?.folder === null && <NoFolder />}
      {data && data.folder !== null && (
        <>
          <LastBackup backups={data} folder={data.folder} />
          {isOwner && <Schedule key={JSON.stringify(data.schedule)} schedule={data.schedule} />}
        </>
      )}
    </Panel>
  );
};

const NoFolder = () => (
  <Empty title={t`This farm makes no backups of itself.`}>
    <p>
      <Trans>
        Start the coordinator with <code>--backups FOLDER</code>, best on another disk, or call{" "}
        <code>mediafarm backup FILE</code> yourself.
      </Trans>
    </p>
  </Empty>
);

const MakeOne = ({ isRunning }: { readonly isRunning: boolean }) => {
  const queries = useQueryClient();
  const say = useSay();
  const make = useMutation({
    mutationFn: () => request("makeBackup", {}),
    onSuccess: (view) => queries.setQueryData(backupsQuery.queryKey, view),
    onError: (problem) => say(messageOf(problem)),
  });
  return (
    <Button onClick={() => make.mutate()} disabled={isRunning || make.isPending}>
      {isRunning ? <Trans>Backing up…</Trans> : <Trans>Back up now</Trans>}
    </Button>
  );
};

type Shown = { readonly backups: BackupsView; readonly folder: string };

const LastBackup = ({ backups: { items, failure }, folder }: Shown) => {
  const [last] = items;
  const when = last && dayAndTime(Date.parse(last.made));
  const size = last && bytes(last.bytes);
  const tried = last && dayAndTime(Date.parse(last.tried));
  const broken = items.filter(({ problem }) => problem !== null);
  const count = items.length;
  return (
    <>
      {failure && (
        <Notice tone="failed">
          <Trans>
            The backup of {dayAndTime(Date.parse(failure.at))} failed: {failure.message}
          </Trans>
        </Notice>
      )}
      {broken.map(({ name, problem }) => (
        <Notice key={name} tone="failed">
          <Words text={problem ?? ""} wraps />
        </Notice>
      ))}
      <Fields>
        <p>
          {last ? (
            <Trans>
              The last backup was made on {when}: {size}. It was opened and checked on {tried}.
            </Trans>
          ) : (
            <Trans>There is no backup yet.</Trans>
          )}{" "}
          {plural(count, { one: "# backup is in", other: "# backups are in" })} <Words text={folder} wraps />
        </p>
      </Fields>
    </>
  );
};

const Schedule = ({ schedule }: { readonly schedule: BackupSchedule }) => {
  const hours = useText(String(schedule.everyHours));
  const keep = useText(String(schedule.keep));
  const queries = useQueryClient();
  const say = useSay();
  const wanted = { everyHours: Number(hours.text), keep: Number(keep.text) };
  const isSame = wanted.everyHours === schedule.everyHours && wanted.keep === schedule.keep;
  const change = useMutation({
    mutationFn: () => request("setBackups", wanted),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: backupsQuery.queryKey });
      say(t`The schedule of backups is changed.`);
    },
  });
  return (
    <Form onSend={() => change.mutate()}>
      <Field label={t`Back up every, in hours`} type="number" required min={1} max={744} {...hours.input} />
      <Field
        label={t`Keep the newest`}
        hint={t`Older backups that the farm made are deleted after each new one`}
        type="number"
        required
        min={1}
        max={1000}
        {...keep.input}
      />
      {change.error && <Notice tone="failed">{messageOf(change.error)}</Notice>}
      <Button type="submit" disabled={change.isPending || isSame}>
        <Trans>Change the schedule</Trans>
      </Button>
    </Form>
  );
};
