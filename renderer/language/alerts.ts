import { plural, t } from "@lingui/core/macro";
import type { AlertContent, AlertKind, AlertMessageState, AlertPart } from "../../shared/outbound/alerts.ts";

/** What each rule is about, and what its number means. */
export const alertKindWords: Readonly<Record<AlertKind, { readonly title: string; readonly limit?: string }>> = {
  job_failed: { title: t`A job failed` },
  job_late: { title: t`A job is late`, limit: t`Late after, in hours since it was sent` },
  node_lost: { title: t`A node is lost`, limit: t`After so many minutes of silence` },
  disk_low: { title: t`A disk is almost full`, limit: t`Below so many percent of free space` },
  stands_still: { title: t`Work waits and nothing moves`, limit: t`After so many minutes` },
  store_fails: { title: t`The farm's database fails` },
  backup_failed: { title: t`A backup failed` },
  webhook_off: { title: t`A webhook was switched off` },
  certificate_ends: { title: t`The certificate ends soon`, limit: t`So many days before its end` },
};

/** How often something happened, or was over. */
const counted: Readonly<Record<AlertKind, (n: number) => string>> = {
  job_failed: (n) => plural(n, { one: "# job failed", other: "# jobs failed" }),
  job_late: (n) => plural(n, { one: "# job is late", other: "# jobs are late" }),
  node_lost: (n) => plural(n, { one: "# node is lost", other: "# nodes are lost" }),
  disk_low: (n) => plural(n, { one: "# disk is almost full", other: "# disks are almost full" }),
  stands_still: () => t`nothing moves`,
  store_fails: () => t`the database fails`,
  backup_failed: () => t`a backup failed`,
  webhook_off: (n) => plural(n, { one: "# webhook was switched off", other: "# webhooks were switched off" }),
  certificate_ends: () => t`the certificate ends soon`,
};
const over: Readonly<Record<AlertKind, (n: number) => string>> = {
  job_failed: counted.job_failed,
  job_late: counted.job_late,
  node_lost: (n) => plural(n, { one: "# node is back", other: "# nodes are back" }),
  disk_low: (n) => plural(n, { one: "# disk has room again", other: "# disks have room again" }),
  stands_still: () => t`work moves again`,
  store_fails: () => t`the database works again`,
  backup_failed: () => t`there is a backup again`,
  webhook_off: (n) => plural(n, { one: "# webhook is on again", other: "# webhooks are on again" }),
  certificate_ends: () => t`there is a new certificate`,
};

/** One thing by its name, or that it is over. What belongs to the farm itself has no name. */
const named: Partial<Readonly<Record<AlertKind, (name: string) => string>>> = {
  job_failed: (name) => t`${name} failed`,
  job_late: (name) => t`${name} is late`,
  node_lost: (name) => t`${name} is lost`,
  disk_low: (name) => t`${name} has an almost full disk`,
  webhook_off: (name) => t`the webhook ${name} was switched off`,
};
const namedOver: typeof named = {
  node_lost: (name) => t`${name} is back`,
  disk_low: (name) => t`${name} has room on its disk again`,
  webhook_off: (name) => t`the webhook ${name} is on again`,
};

/** What the farm tells desktops, in the reader's language. */
export const toldTitle = ({ parts, is_test }: { readonly parts: readonly AlertPart[]; readonly is_test: boolean }) =>
  is_test ? t`A test` : parts.map(partWords).join(", ");

const partWords = ({ kind, is_over, n, subject, name }: AlertPart): string => {
  const words = subject === "" || subject === "farm" ? undefined : (is_over ? namedOver : named)[kind];
  return words ? words(kind === "webhook_off" ? subject : name) : (is_over ? over : counted)[kind](n);
};

/** A message in short. */
export const alertTitle = ({ counts, is_test }: AlertContent): string =>
  is_test ? t`A test` : counts.map(({ kind, is_over, n }) => (is_over ? over : counted)[kind](n)).join(", ");

/** What a message is about, each thing by its name. */
export const alertNames = ({ notices }: AlertContent): string =>
  [...new Set(notices.filter(({ name, subject }) => name !== "" && subject !== "farm").map(({ name }) => name))].join(
    ", ",
  );

export const alertStateWords: Readonly<Record<AlertMessageState, string>> = {
  waiting: t`not told yet`,
  told: t`told`,
  given_up: t`given up`,
};
