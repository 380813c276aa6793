import type { AlertContent, AlertKind, AlertLanguage, AlertNotice, AlertPart } from "../../shared/outbound/alerts.ts";
import type { AlertTexts } from "./language/alert-texts.ts";
import { type AlertValues, alertWords, filled } from "./language/words.ts";

/** In which language a message speaks, and by which clock. */
export type Voice = { readonly language: AlertLanguage; readonly time_zone: string };
const usualVoice: Voice = { language: "en", time_zone: "UTC" };

/** One line that says all: the subject of mails. */
export const titleOf = ({ counts, notices, is_test }: AlertContent, { language } = usualVoice): string => {
  const words = alertWords(language);
  return is_test
    ? words.test
    : partsOf({ counts, notices })
        .map((part) => phraseOf(part, words))
        .join(", ");
};

/** What a title is made of: how many of each kind, and the name of what is alone. */
export const partsOf = ({ counts, notices }: Pick<AlertContent, "counts" | "notices">): AlertPart[] =>
  counts.map(({ kind, is_over, n }) => {
    const named = notices.find((notice) => notice.kind === kind && notice.is_over === is_over && notice.name !== "");
    return { kind, is_over, n, subject: (n === 1 && named?.subject) || "", name: (n === 1 && named?.name) || "" };
  });

const phraseOf = (part: AlertPart, words: AlertTexts): string => {
  const { kind, is_over, n } = part;
  const { one, many, over, allOver } = words.kinds[kind];
  if (part.name !== "") return filled(is_over ? over : one, { name: nameIn(part, words) });
  return filled(is_over ? allOver : many, { count: n, name: words.farm });
};

/** What is no name that somebody gave is said in the language of the message. */
const nameIn = ({ kind, subject, name }: Pick<AlertNotice, "kind" | "subject" | "name">, words: AlertTexts): string => {
  if (kind === "webhook_off") return filled(words.webhook, { name: subject });
  if (subject !== "farm") return name;
  return kind === "disk_low" ? words.coordinator : words.farm;
};

/** The whole message as plain text. `dashboard` is the address of the pages. */
export const textOf = (content: AlertContent, dashboard: string, voice = usualVoice): string => {
  const words = alertWords(voice.language);
  if (content.is_test) return `${filled(words.testOf, { address: dashboard })}\n\n${words.works}\n`;
  const named = content.notices.map((notice) => lineOf(notice, dashboard, voice));
  const total = content.counts.reduce((sum, { n }) => sum + n, 0);
  const others = total - content.notices.reduce((sum, { count }) => sum + count, 0);
  const more = others > 0 ? [filled(words.more, { count: others })] : [];
  return [titleOf(content, voice), "", ...named, ...more, "", dashboard, ""].join("\n");
};

/** Where somebody looks after it: who is called at night gets there by one tap. */
const pages: Partial<Record<AlertKind, (subject: string) => string>> = {
  job_failed: (id) => `jobs/${id}`,
  job_late: (id) => `jobs/${id}`,
  node_lost: (id) => `nodes/${id}`,
  disk_low: (id) => (id === "farm" ? "farm" : `nodes/${id}`),
  stands_still: () => "jobs?state=waiting",
  ...{ store_fails: () => "farm", backup_failed: () => "farm" },
  webhook_off: () => "webhooks",
};

const lineOf = (notice: AlertNotice, dashboard: string, voice: Voice): string => {
  const { kind, subject, name, at, is_over, count } = notice;
  const words = alertWords(voice.language);
  const { one, many, over } = words.kinds[kind];
  const what = name === "" ? filled(many, { count }) : filled(is_over ? over : one, { name: nameIn(notice, words) });
  const detail = detailIn(notice, voice);
  const page = subject === "" ? undefined : pages[kind]?.(subject);
  const place = page === undefined ? "" : `\n    ${dashboard}#/${page}`;
  return `${timeIn(at, voice)}  ${what}${detail === "" ? "" : `: ${detail}`}${place}`;
};

/** By its code where it has one. Messages of jobs stay as the programs said them. */
const detailIn = ({ detail, reason }: AlertNotice, voice: Voice): string =>
  reason ? filled(alertWords(voice.language).reasons[reason.code], valuesIn(reason.values, voice)) : detail;

const valuesIn = (values: AlertValues, voice: Voice): AlertValues =>
  typeof values.at === "string" ? { ...values, at: timeIn(values.at, voice) } : values;

/** `2026-11-01 03:00 Europe/Vienna`: sorts, and says whose clock it is. */
const timeIn = (at: string, { time_zone }: Voice): string => {
  const clock = new Intl.DateTimeFormat("sv-SE", { timeZone: time_zone, dateStyle: "short", timeStyle: "short" });
  return `${clock.format(new Date(at))} ${time_zone}`;
};

/** What webhooks get. Chat programs show `text` or `content`; programs read the rest. */
export const bodyOf = (id: string, content: AlertContent, dashboard: string, voice = usualVoice): string => {
  const text = textOf(content, dashboard, voice);
  return JSON.stringify({
    event: "alert",
    id,
    title: titleOf(content, voice),
    text,
    content: text.slice(0, 1900),
    ...{ dashboard, language: voice.language },
    is_test: content.is_test,
    counts: content.counts,
    notices: content.notices,
  });
};
