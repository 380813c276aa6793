import type { Cipher } from "./cipher.ts";
import { endsText, type TrailEnds, type TrailSearch } from "./trail.ts";

/** The ends as stored: sealed as well. */
export type StoredEnds = Omit<TrailEnds, "isSealed"> & { readonly seal: string };

export const endsOf = (cipher: Cipher, stored: StoredEnds | undefined): TrailEnds | undefined => {
  if (!stored) return undefined;
  const { seal, ...ends } = stored;
  return { ...ends, isSealed: opensAs(cipher, seal, endsText(ends)) };
};

const opensAs = (cipher: Cipher, seal: string, text: string): boolean => {
  try {
    return cipher.open(seal) === text;
  } catch {
    return false; // another key, or not sealed by anybody
  }
};

/** The condition of a search; `place` names the next parameter. */
export const searchOf = (
  { text, outcome, before }: TrailSearch,
  place: () => string,
): { readonly where: string; readonly params: readonly (string | number)[] } => {
  const parts: (readonly [condition: string, ...params: (string | number)[]])[] = [];
  if (before !== undefined) parts.push([`id < ${place()}`, before]);
  if (outcome !== undefined) parts.push([outcome === "done" ? "outcome = 'done'" : "outcome <> 'done'"]);
  if (text)
    parts.push([`lower(${all}) LIKE ${place()} ESCAPE '!'`, `%${asciiLower(text).replaceAll(/[!%_]/g, "!$&")}%`]);
  return {
    where: parts.map(([condition]) => condition).join(" AND ") || "1 = 1",
    params: parts.flatMap(([, ...params]) => params),
  };
};

/** As both engines do it: other letters stay. */
const asciiLower = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

const all = "who || ' ' || origin || ' ' || action || ' ' || outcome || ' ' || about";
