import { xmlText } from "../../shared/basics/xml-text.ts";
import type { TrackLayer } from "../../shared/model/layer.ts";
import type { DashNames } from "../../shared/work/steps/place.ts";
import { choiceOf, labelOf, rolesOf } from "./roles.ts";
import { createUniqueNames } from "./unique-names.ts";

/** A rendition, and the name that it has without any of its own. */
type Named = { readonly kind: "video" | "audio" | "text"; readonly stem: string; readonly layer: TrackLayer };

/** What a DASH manifest says of a rendition beside its media. */
export type Said = {
  readonly id: string;
  readonly roles: readonly string[];
  readonly label?: string;
  /** Stands for the label where a program writes the manifest. */
  readonly word: string;
};

/** The names, roles and labels of renditions in one manifest: those of one choice have the same ones. */
export const saidInDash = <R extends Named>(renditions: readonly R[]): ReadonlyMap<R, Said> => {
  const unique = createUniqueNames();
  const choices = Map.groupBy(renditions, choiceIn);
  const keys = [...choices.keys()];
  const main = mainOf(choices);
  return new Map(
    renditions.map((each) => {
      const { kind, layer, stem } = each;
      const id = unique(layer.name ?? stem);
      const key = choiceIn(each);
      const word = `label_${keys.indexOf(key)}`;
      if (kind === "video") return [each, { id, roles: [], word }];
      const layers = (choices.get(key) ?? []).map((other) => other.layer);
      const label = labelOf(layers);
      return [
        each,
        { id, roles: key === main ? ["main"] : rolesOf(layers), word, ...(label !== undefined && { label }) },
      ];
    }),
  );
};

/** Where the job gives roles to sounds and none is the main one: the first that has none. */
const mainOf = (choices: ReadonlyMap<string, readonly Named[]>): string | undefined => {
  const sounds = [...choices].filter(([, members]) => members[0]?.kind === "audio");
  const roles = sounds.map(([, members]) => rolesOf(members.map(({ layer }) => layer)));
  const isOpen = roles.flat().length > 0 && !roles.flat().includes("main");
  return isOpen ? sounds[roles.findIndex((each) => each.length === 0)]?.[0] : undefined;
};

const choiceIn = ({ kind, layer }: Named): string => (kind === "video" ? kind : `${kind} ${choiceOf(layer)}`);

/** Gives the renditions of a manifest that a program wrote their names, and the labels for which it has a word. */
export const withDashNames = (manifest: string, names: DashNames): string =>
  names.labels.reduce(
    (text, { word, label }) =>
      text.replace(new RegExp(`((?:<Role\\b[^>]*/>\\s*)*)<Label>${word}</Label>(\\s*)`), (_whole, roles, gap) => {
        return `<Label>${xmlText(label)}</Label>${gap}${roles}`;
      }),
    manifest.replace(/<Representation\b[\s\S]*?<\/Representation>/g, (one) => renamed(one, names)),
  );

const renamed = (representation: string, { ids }: DashNames): string => {
  const found = ids.find(({ media }) => representation.includes(`>${media}<`) || representation.includes(`"${media}"`));
  return found ? representation.replace(/\bid="[^"]*"/, `id="${found.id}"`) : representation;
};
