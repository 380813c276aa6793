/** A turn that a job got with a task. It is kept once the claim is durable, or given back. */
export type Turn = { readonly jobId: number; readonly nr: number };

/** The turns of one job: the last one that is kept, and those of claims that are not durable yet, oldest first. */
export type JobTurns = { kept: number; readonly open: number[] };

/** 0: the job had none yet. */
export const lastTurnOf = ({ kept, open }: JobTurns): number => Math.max(kept, open.at(-1) ?? 0);

export const takeTurn = ({ open }: JobTurns, nr: number): void => {
  open.push(nr);
};

export const keepTurn = (turns: JobTurns, nr: number): void => {
  withdrawTurn(turns, nr);
  turns.kept = Math.max(turns.kept, nr);
};

/** Several turns may be open, and end in any order. */
export const withdrawTurn = ({ open }: JobTurns, nr: number): void => {
  const at = open.indexOf(nr);
  if (at >= 0) open.splice(at, 1);
};
