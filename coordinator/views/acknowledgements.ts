import { z } from "zod";
import { AppError } from "../../shared/basics/errors.ts";
import { type Acknowledgement, type acknowledgeInput, acknowledgement } from "../../shared/people/acknowledgement.ts";
import { isoTime } from "../iso-time.ts";
import type { Store } from "../store/store.ts";

type Records = Pick<Store, "records">;

const recordKey = "acknowledgements";
const most = 5000;
/** Nothing is put away for good. */
const longestMs = 31 * 86_400_000;

/** What people look after already, and until when. */
export const readAcknowledgements = async ({ records }: Records, now: number): Promise<Acknowledgement[]> =>
  openAt(parse(await records.get("farm", recordKey)), now);

/** Puts things away until a time, or shows them again. Throws AppError for a time that is over or too far away. */
export const acknowledge = async (
  { records }: Records,
  { subjects, until, why }: z.output<typeof acknowledgeInput>,
  { who, now }: { readonly who: string; readonly now: number },
): Promise<Acknowledgement[]> => {
  if (until !== null && !(Date.parse(until) > now && Date.parse(until) <= now + longestMs))
    throw new AppError("VALIDATION_FAILED", `until must be within the next ${longestMs / 86_400_000} days`);
  const meant = new Set(subjects);
  const { after } = await records.change("farm", recordKey, (value) => {
    const others = openAt(parse(value), now).filter(({ subject }) => !meant.has(subject));
    const added =
      until === null ? [] : [...meant].map((subject) => ({ subject, who, at: isoTime(now), until, why: why || null }));
    if (others.length + added.length > most)
      throw new AppError("CONFLICT", `${most} things are acknowledged already: take some back first`);
    return JSON.stringify([...others, ...added]);
  });
  return parse(after);
};

const openAt = (all: readonly Acknowledgement[], now: number): Acknowledgement[] =>
  all.filter(({ until }) => Date.parse(until) > now);

const parse = (text: string | undefined): Acknowledgement[] =>
  text === undefined ? [] : z.array(acknowledgement).parse(JSON.parse(text));
