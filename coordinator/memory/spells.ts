import type { SpellState } from "../../shared/node-view.ts";

/** A stretch of time in which a node took no work. Times are Unix milliseconds; `to` is null while it lasts. */
export type Spell = {
  readonly nodeId: number;
  readonly state: SpellState;
  readonly from: number;
  readonly to: number | null;
  readonly why: string;
};

export type SpellBook = ReturnType<typeof createSpellBook>;

/** Spells are kept for as long as a timeline reaches back, and at most this many. */
const keptMs = 24 * 3_600_000;
const mostSpells = 20_000;
/** They are not worth a commit: a crash loses the last minute. */
const writeEveryMs = 60_000;

/** Why each node did not work, and when: its owner, an operator, a quarantine, silence. */
export const createSpellBook = (recalled: readonly Spell[] = []) => {
  let past: Spell[] = recalled.filter(({ to }) => to !== null);
  const open = new Map(recalled.filter(({ to }) => to === null).map((spell) => [spell.nodeId, spell]));
  let isWritten = true;
  let writtenAt = 0;

  const close = (spell: Spell, at: number): void => {
    open.delete(spell.nodeId);
    past = [...past.filter(({ to }) => at - (to ?? at) < keptMs), { ...spell, to: at }].slice(-mostSpells);
  };

  return {
    /** A node's current spell; undefined: it takes work. */
    note: (nodeId: number, now: number, found: Pick<Spell, "state" | "from" | "why"> | undefined): void => {
      const last = open.get(nodeId);
      if (last?.state === found?.state) return;
      isWritten = false;
      if (last) close(last, Math.max(last.from, found?.from ?? now));
      if (found) open.set(nodeId, { ...found, nodeId, to: null });
    },
    /** The spells that reach into the time since `from`, in order. */
    since: (from: number): Spell[] => [...past, ...open.values()].filter(({ to }) => to === null || to >= from),
    /** All spells, if some are not stored and the last store was long enough ago. */
    takeUnwritten: (now: number): Spell[] | undefined => {
      if (isWritten || now - writtenAt < writeEveryMs) return undefined;
      [isWritten, writtenAt] = [true, now];
      return [...past, ...open.values()];
    },
  };
};
