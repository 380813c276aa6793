import type { Filter } from "../../../ffmpeg/filtergraph.ts";
import { channelNamesOf, layoutNamed, layoutsUpTo } from "../../../ffmpeg/layouts.ts";

type Request = {
  /** The channels of the sound in its order, as ffmpeg names them. */
  readonly names: readonly string[];
  /** The layout that the sound has before; absent where its channels have other names than ffmpeg believes. */
  readonly layout: string | undefined;
  /** Layouts of the codec; absent: it has any. */
  readonly layouts: readonly string[] | undefined;
  readonly most: number;
  /** The numbers of channels that the codec has; absent: every one. */
  readonly counts: readonly number[] | undefined;
  /** The number of channels that the job insists on. */
  readonly exactly: number | undefined;
};

/** How a codec carries channels: its layout, the filters that lead there, and what became of channels, in words. */
export type Carried = {
  readonly channels: number;
  readonly layout?: string;
  readonly filters: readonly Filter[];
  readonly told: readonly string[];
  /** Channels share a place, or are left out. */
  readonly isMixed?: true;
};

/**
 * Every channel of a sound at its place in the layout of a codec that suits it best: the same layout, else one that has
 * all its channels and silent ones beside them, else one where few share a place.
 */
export const carriedChannels = (request: Request): Carried => {
  const { names, layout, layouts, most, counts, exactly } = request;
  if (layouts === undefined && names.length <= most) return filledUp(request);
  const all = layouts ?? layoutsUpTo(most);
  const held = all.filter((each) => counts?.includes(channelNamesOf(each).length) !== false);
  const fitting = held.filter((each) => exactly === undefined || channelNamesOf(each).length === exactly);
  const [best] = (fitting.length > 0 ? fitting : held)
    .map((each) => placed(names, each))
    .sort((a, b) => a.cost - b.cost || a.places.length - b.places.length);
  if (!best) return { channels: names.length, filters: [], told: [] };
  const channels = best.places.length;
  const isSame = best.layout === layout && channels === names.length && best.cost === 0;
  const isMixed = best.ways.some(({ is }) => is !== "kept");
  const filters = isSame ? [] : [routing(best)];
  return { channels, layout: best.layout, filters, told: told(names, best), ...(isMixed && { isMixed }) };
};

/** As it is, with silent channels behind where the codec has only some numbers of them. */
const filledUp = ({ names, counts }: Request): Carried => {
  const channels = Math.min(...(counts ?? [names.length]).filter((count) => count >= names.length));
  if (channels === names.length) return { channels, filters: [], told: [] };
  const routes = Array.from({ length: channels }, (_, at) => (at < names.length ? `c${at}=c${at}` : `c${at}=0*c0`));
  const filter = { name: "pan", options: { args: [`${channels}C`, ...routes].join("|") } };
  const told = `${names.length} channels become ${channels}: the last ones are silent`;
  return { channels, filters: [filter], told: [told] };
};

/** Gains of the sound's channels, by their number, for each place of a layout. */
type Placed = {
  readonly layout: string;
  readonly places: readonly string[];
  readonly gains: readonly ReadonlyMap<number, number>[];
  readonly ways: readonly Way[];
  readonly cost: number;
};

/** Where one channel went, and how good this is. */
type Way = { readonly to: readonly string[]; readonly gain: number; readonly cost: number; readonly is: string };

const half = Math.SQRT1_2;

const placed = (names: readonly string[], layout: string): Placed => {
  const places = channelNamesOf(layout);
  // One channel has no place among others, whatever its name is.
  const isOne = names.length === 1 && places.length === 1;
  const ways = withSpare(isOne ? [alone(places[0])] : names.map((name) => wayOf(name, names, places)), places);
  const gains = places.map(
    (place) => new Map(ways.flatMap(({ to, gain }, at) => (to.includes(place) ? [[at, gain] as const] : []))),
  );
  const silent = gains.filter((each) => each.size === 0).length;
  const cost = ways.reduce((sum, way) => sum + way.cost, 0) + silent * 0.02 + crowding(ways, places);
  return { layout, places, gains, ways, cost };
};

/** Channels that would each be alone in a place, but for one another. */
const crowding = (ways: readonly Way[], places: readonly string[]): number =>
  places.reduce((sum, place) => {
    const sharing = ways.filter(({ to, cost }) => cost < 1 && to.includes(place)).length;
    return sum + Math.max(0, sharing - 1);
  }, 0);

/** Surrounds have one name in some layouts and another one in others. */
const twins: Readonly<Record<string, string>> = {
  ...{ SL: "BL", SR: "BR", BL: "SL", BR: "SR", SDL: "SL", SDR: "SR", DL: "FL", DR: "FR" },
};

/** Where channels go that a layout lacks, the best place first. */
const folds: Readonly<Record<string, readonly (readonly [to: string, gain: number])[]>> = {
  ...{ FC: [["FL FR", half]], FL: [["FC", half]], FR: [["FC", half]], LFE2: [["LFE", half]] },
  BC: [
    ["BL BR", half],
    ["SL SR", half],
    ["FL FR", 0.5],
    ["FC", 0.5],
  ],
  ...Object.fromEntries(
    ["L", "R"].flatMap((side) => {
      const [front, back] = [`F${side}`, [`B${side}`, `S${side}`]] as const;
      const near = [...back, front, "FC"].map((to) => [to, half] as const);
      const before = [front, "FC"].map((to) => [to, half] as const);
      return [
        ...[`B${side}`, `S${side}`, `SD${side}`, `TB${side}`, `TS${side}`].map((name) => [name, near]),
        ...[`${front}C`, `TF${side}`, `W${side}`, `BF${side}`].map((name) => [name, before]),
        [`D${side}`, [[front, 1]]],
      ];
    }),
  ),
  ...Object.fromEntries(
    ["TFC", "BFC", "TC"].map((name) => [
      name,
      [
        ["FC", half],
        ["FL FR", 0.5],
      ],
    ]),
  ),
  TBC: [
    ["BC", half],
    ["BL BR", 0.5],
    ["SL SR", 0.5],
    ["FL FR", 0.5],
  ],
};

const alone = (place = "FC"): Way => ({ to: [place], gain: 1, cost: 0, is: "kept" });

/** A channel that has no place in a layout takes one that nobody needs, rather than none. */
const withSpare = (ways: readonly Way[], places: readonly string[]): Way[] => {
  const spare = places.filter((place) => !ways.some(({ to }) => to.includes(place)));
  return ways.map((way) => {
    const place = way.is === "lost" ? spare.shift() : undefined;
    return place ? { to: [place], gain: 1, cost: 2, is: "mixed" } : way;
  });
};

const wayOf = (name: string, names: readonly string[], places: readonly string[]): Way => {
  if (places.includes(name)) return { to: [name], gain: 1, cost: 0, is: "kept" };
  const twin = twins[name];
  const isFree = (place: string) => places.includes(place) && !names.includes(place);
  if (twin && isFree(twin)) return { to: [twin], gain: 1, cost: 0.01, is: "kept" };
  for (const [list, gain] of folds[name] ?? []) {
    const to = list.split(" ");
    if (!to.every((place) => places.includes(place))) continue;
    const isTaken = (place: string) => names.some((other) => twins[other] === place && !places.includes(other));
    const isAlone = to.every((place) => isFree(place) && !isTaken(place));
    return { to, gain: isAlone && to.length === 1 ? 1 : gain, cost: isAlone ? 0.1 : 1, is: "mixed" };
  }
  return { to: [], gain: 0, cost: 3, is: "lost" };
};

/** Without a change of any sample where every place takes one channel as it is. */
const routing = ({ layout, places, gains }: Placed): Filter => {
  const rows = gains.map((row) => [...row]);
  const isPure = rows.every((row) => row.length === 1 && row[0]?.[1] === 1);
  if (isPure) {
    const map = rows.map(([first]) => first?.[0] ?? 0).join("|");
    return { name: "channelmap", options: { map, channel_layout: layout } };
  }
  // Quieter as a whole where sums would pass full scale.
  const most = Math.max(1, ...rows.map((row) => row.reduce((sum, [, gain]) => sum + gain, 0)));
  const sums = rows.map((row, at) => {
    const parts = row.map(([from, gain]) => `${Math.round((gain / most) * 1e6) / 1e6}*c${from}`);
    return `${places[at]}=${parts.join("+") || "0*c0"}`;
  });
  return { name: "pan", options: { args: [layout, ...sums].join("|") } };
};

const told = (names: readonly string[], { layout, places, gains, ways }: Placed): string[] => {
  const of = (is: string) => names.filter((_, at) => ways[at]?.is === is);
  const [mixed, lost] = [of("mixed"), of("lost")];
  const silent = places.filter((_, at) => gains[at]?.size === 0);
  const where = mixed.map((name) => `${name} is in ${ways[names.indexOf(name)]?.to.join(" and ")}`);
  const words = [
    ...(silent.length > 0 ? [`${silent.join(", ")} ${silent.length === 1 ? "is" : "are"} silent`] : []),
    ...where,
    ...(lost.length > 0 ? [`${lost.join(", ")} ${lost.length === 1 ? "is" : "are"} left out`] : []),
  ];
  return words.length > 0 ? [`the channels ${layoutNamed(names)} become ${layout}: ${words.join("; ")}`] : [];
};
