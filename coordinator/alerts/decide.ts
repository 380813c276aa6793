import {
  type AlertKind,
  type AlertNotice,
  type AlertSettings,
  alertKindNames,
  alertKinds,
} from "../../shared/outbound/alerts.ts";
import { isoTime } from "../iso-time.ts";
import type { AlertState } from "./state.ts";

/** Something that is so now, or that happened since the last look. */
export type Sighting = {
  readonly kind: AlertKind;
  readonly subject: string;
  readonly name: string;
  readonly detail: string;
  readonly reason?: AlertNotice["reason"];
  /** How many this stands for; only of what has no subject. */
  readonly count?: number;
};

/** At most so many things are known as open; a farm with more has one trouble, and not as many. */
const mostOpen = 5000;

/** What is new, and what is over, since the last look. Kinds that are off are not noticed, and forgotten. */
export const decideNotices = (
  before: AlertState["open"],
  sightings: readonly Sighting[],
  { rules }: Pick<AlertSettings, "rules">,
  now: number,
): { readonly open: AlertState["open"]; readonly notices: readonly AlertNotice[] } => {
  const seen = new Map(sightings.filter(({ kind }) => rules[kind].is_on).map((each) => [keyOf(each), each]));
  const at = isoTime(now);
  const begun = [...seen]
    .filter(([key, { subject }]) => subject === "" || !(key in before))
    .map(
      ([, { kind, subject, name, detail, reason, count = 1 }]): AlertNotice => ({
        ...{ kind, subject, name, detail, at, count },
        ...(reason && { reason }),
        is_over: false,
      }),
    );
  const over = Object.entries(before)
    .filter(([key, { kind }]) => alertKinds[kind].hasEnd && rules[kind].is_on && !seen.has(key))
    .map(
      ([, { kind, subject, name }]): AlertNotice => ({
        ...{ kind, subject, name, detail: "", at, count: 1 },
        is_over: true,
      }),
    );
  const stays = [...seen]
    .filter(([, { subject, kind }]) => subject !== "" && !happensOnce.has(kind))
    .slice(0, mostOpen);
  const open = Object.fromEntries(
    stays.map(([key, { kind, subject, name }]) => [key, { kind, subject, name: before[key]?.name ?? name }]),
  );
  return { open, notices: [...begun, ...over] };
};

/** Sightings of these are new each time: what was seen before is not sighted again. */
const happensOnce: ReadonlySet<AlertKind> = new Set(["job_failed"]);

const keyOf = ({ kind, subject }: Sighting): string => `${kind} ${subject}`;

/** Kinds in the order of the table. */
export const inOrder = (a: AlertKind, b: AlertKind): number => alertKindNames.indexOf(a) - alertKindNames.indexOf(b);
