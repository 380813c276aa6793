import { type AlertContent, type AlertKind, type AlertNotice, alertKinds } from "../../shared/outbound/alerts.ts";

type Words = { readonly one: string; readonly many: string; readonly over: string };

/** What is said of one thing by its name, of many by their number, and once it is over. */
const words: { readonly [K in AlertKind]: Words } = {
  job_failed: { one: "failed", many: "jobs failed", over: "" },
  job_late: { one: "is late", many: "jobs are late", over: "" },
  node_lost: { one: "is lost", many: "nodes are lost", over: "is back" },
  disk_low: {
    one: "has an almost full disk",
    many: "machines have almost full disks",
    over: "has room on its disk again",
  },
  stands_still: { one: "has work that waits, and nothing moves", many: "queues stand still", over: "works again" },
  backup_failed: { one: "has no backup", many: "backups failed", over: "has a backup again" },
  webhook_off: {
    one: "was switched off, since its receiver takes nothing",
    many: "webhooks were switched off",
    over: "is on again",
  },
  certificate_ends: {
    one: "has a certificate that ends soon",
    many: "certificates end soon",
    over: "has a new certificate",
  },
};

const testTitle = "A test of this channel";

/** One line that says all: the subject of mails. */
export const titleOf = ({ counts, notices, is_test }: AlertContent): string =>
  is_test ? testTitle : counts.map((count) => phraseOf(count, notices)).join(", ");

const phraseOf = ({ kind, is_over, n }: AlertContent["counts"][number], notices: readonly AlertNotice[]): string => {
  const named = notices.find((notice) => notice.kind === kind && notice.is_over === is_over && notice.name !== "");
  if (n === 1 && named) return `${named.name} ${is_over ? words[kind].over : words[kind].one}`;
  return is_over ? `over ${n} times: ${alertKinds[kind].title.toLowerCase()}` : `${n} ${words[kind].many}`;
};

/** The whole message as plain text. `dashboard` is the address of the pages. */
export const textOf = (content: AlertContent, dashboard: string): string => {
  if (content.is_test) return `${testTitle} of the farm at ${dashboard}\n\nIt works: alerts of the farm arrive here.\n`;
  const named = content.notices.map((notice) => lineOf(notice, dashboard));
  const total = content.counts.reduce((sum, { n }) => sum + n, 0);
  const others = total - content.notices.reduce((sum, { count }) => sum + count, 0);
  return [titleOf(content), "", ...named, ...(others > 0 ? [`… and ${others} more.`] : []), "", dashboard, ""].join(
    "\n",
  );
};

const pages: Partial<Record<AlertKind, string>> = { job_failed: "jobs", job_late: "jobs", node_lost: "nodes" };

const lineOf = ({ kind, subject, name, detail, at, is_over, count }: AlertNotice, dashboard: string): string => {
  const time = `${at.slice(0, 16).replace("T", " ")} UTC`;
  const what = name === "" ? `${count} ${words[kind].many}` : `${name} ${is_over ? words[kind].over : words[kind].one}`;
  const place = pages[kind] !== undefined && subject !== "" ? `\n    ${dashboard}#/${pages[kind]}/${subject}` : "";
  return `${time}  ${what}${detail === "" ? "" : `: ${detail}`}${place}`;
};

/** What webhooks get. Chat programs show `text` or `content`; programs read the rest. */
export const bodyOf = (id: string, content: AlertContent, dashboard: string): string => {
  const text = textOf(content, dashboard);
  return JSON.stringify({
    event: "alert",
    id,
    title: titleOf(content),
    text,
    content: text.slice(0, 1900),
    ...{ dashboard },
    is_test: content.is_test,
    counts: content.counts,
    notices: content.notices,
  });
};
