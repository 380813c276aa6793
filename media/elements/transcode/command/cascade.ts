import type { Chain, Filter } from "../../../ffmpeg/filtergraph.ts";

/** A branch of the graph: everything between the source's picture and the label where it leaves. */
export type Branch = { readonly label: string; readonly filters: readonly Filter[] };

/**
 * How many times larger, in both directions, a picture must be to make a smaller one of it. At twice the size the
 * smaller picture is within 0.1 VMAF of one that is scaled from the source; at one and a half times it is not.
 */
const least = 2;

/** The branches of a split as chains; pictures that can be are scaled from a larger one that is made anyway. */
export const cascadeBranches = (branches: readonly Branch[], inner: (label: string) => string): Chain[] => {
  const childrenOf = Map.groupBy(branches, (each) => parentOf(each, branches));
  return branches.flatMap((branch) => {
    const children = childrenOf.get(branch) ?? [];
    const from = [inner(branch.label)];
    const { filters } = branch;
    if (children.length === 0) return [{ from, filters, to: [branch.label] }];
    const [scale, ...rest] = filters;
    const own = `${branch.label}_own`;
    const split = { name: "split", options: { outputs: children.length + 1 } };
    return [
      {
        from,
        filters: [...(scale ? [scale] : []), ...formatOf(filters), split],
        to: [own, ...children.map(({ label }) => inner(label))],
      },
      { from: [own], filters: rest, to: [branch.label] },
    ];
  });
};

/** The branches that the source's own picture feeds. */
export const rootsOf = (branches: readonly Branch[]): readonly Branch[] =>
  branches.filter((branch) => parentOf(branch, branches) === undefined);

// The smallest picture that is large enough.
const parentOf = (branch: Branch, branches: readonly Branch[]): Branch | undefined =>
  branches.filter((other) => isLargeEnough(other, branch)).toSorted((a, b) => areaOf(a) - areaOf(b))[0];

const isLargeEnough = (other: Branch, branch: Branch): boolean => {
  const [large, small] = [scaleOf(other), scaleOf(branch)];
  if (!large || !small || large.flags !== small.flags) return false;
  const isSame = JSON.stringify(formatOf(other.filters)) === JSON.stringify(formatOf(branch.filters));
  return isSame && large.w >= least * small.w && large.h >= least * small.h;
};

const areaOf = (branch: Branch): number => {
  const scale = scaleOf(branch);
  return scale ? scale.w * scale.h : 0;
};

type Scale = { readonly w: number; readonly h: number; readonly flags: string };

/** The plain scaling that a branch begins with; undefined for one that also handles colours, fields or dithering. */
const scaleOf = ({ filters: [first] }: Branch): Scale | undefined => {
  if (first?.name !== "scale") return undefined;
  const { w, h, flags, ...others } = first.options ?? {};
  const isPlain = Object.values(others).every((value) => value === undefined);
  return isPlain && typeof w === "number" && typeof h === "number" ? { w, h, flags: String(flags) } : undefined;
};

const formatOf = (filters: readonly Filter[]): Filter[] => filters.filter(({ name }) => name === "format").slice(-1);
