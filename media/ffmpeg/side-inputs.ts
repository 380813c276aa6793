import type { Chain, Filter, SideSource } from "./filtergraph.ts";

/** A file that a graph reads in addition to its source. */
export type SideInput = Pick<SideSource, "uri" | "args" | "isScratch">;

export type OpenGraph = {
  readonly chains: readonly Chain[];
  /** Files opened after the source's own inputs, in this order. */
  readonly inputs: readonly SideInput[];
};

/**
 * Chains in which each filter names its inputs by labels: a filter with a second picture ends its chain and begins one
 * with two inputs. The files of second pictures are numbered from `first` on, each once.
 */
export const openSideInputs = (chains: readonly Chain[], first: number): OpenGraph => {
  const inputs: SideInput[] = [];
  const numberOf = ({ uri, args, isScratch }: SideSource): number => {
    const key = JSON.stringify([uri, args]);
    const known = inputs.findIndex((each) => JSON.stringify([each.uri, each.args]) === key);
    return first + (known === -1 ? inputs.push({ uri, args, ...(isScratch && { isScratch }) }) - 1 : known);
  };
  let count = 0;
  const opened = chains.flatMap((chain) => {
    const [parts, rest] = cutAtBesides(chain.filters);
    const made: Chain[] = [];
    let { from } = chain;
    for (const { before, filter, beside } of parts) {
      const [main, second] = [`main${count}`, `beside${count}`];
      count += 1;
      if (before.length > 0) made.push({ from, filters: before, to: [main] });
      made.push({ from: [`${numberOf(beside)}:v:0`], filters: beside.filters, to: [second] });
      const chained = before.length > 0 ? [main] : from;
      from = beside.isFirst ? [second, ...chained] : [...chained, second];
      made.push({ from, filters: [filter], to: [`${main}_out`] });
      from = [`${main}_out`];
    }
    const last = made.at(-1);
    if (!last) return [chain];
    // Filters after the last such filter stay in its chain.
    made[made.length - 1] = { ...last, filters: [...last.filters, ...rest], to: chain.to };
    return made;
  });
  return { chains: opened, inputs };
};

type Cut = { readonly before: readonly Filter[]; readonly filter: Filter; readonly beside: SideSource };

const cutAtBesides = (filters: readonly Filter[]): readonly [readonly Cut[], readonly Filter[]] => {
  const cuts: Cut[] = [];
  let before: Filter[] = [];
  for (const { beside, ...filter } of filters) {
    if (!beside) {
      before.push(filter);
      continue;
    }
    cuts.push({ before, filter, beside });
    before = [];
  }
  return [cuts, before];
};
