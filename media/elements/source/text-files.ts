import { nameOf } from "../../../shared/files/location.ts";
import type { Component, Version } from "./components.ts";
import type { Contents } from "./schema.ts";

/** What files of texts hold, by the endings of their names. */
const kinds: Readonly<Record<string, Contents[number]["kind"]>> = {
  ...{ srt: "subtitle", vtt: "subtitle", webvtt: "subtitle", ttml: "subtitle", dfxp: "subtitle", ass: "subtitle" },
  ...{ ssa: "subtitle", scc: "closed_caption", mcc: "closed_caption" },
};

/**
 * Subtitles and captions that lie beside media and do not say so themselves. In a list of addresses, where nothing else
 * can say what they belong to, they are part of the file before them.
 */
export const withTextFiles = (versions: readonly Version[], isList: boolean): Version[] => {
  const all = versions.map(({ components, ...version }) => ({ ...version, components: components.map(withKind) }));
  const isText = ({ components }: Version) => components.every(({ uri }) => kindOf(uri) !== undefined);
  if (!isList || all.every(isText)) return all;
  const joined: Version[] = [];
  for (const version of all) {
    const before = joined.at(-1);
    if (before && (isText(version) || isText(before)))
      joined.splice(-1, 1, { ...before, components: [...before.components, ...version.components] });
    else joined.push(version);
  }
  return joined;
};

const withKind = (component: Component): Component => {
  const kind = kindOf(component.uri);
  return component.contents || kind === undefined ? component : { ...component, contents: [{ kind }] };
};

const kindOf = (uri = ""): Contents[number]["kind"] | undefined =>
  kinds[/\.([a-z]+)$/i.exec(nameOf(uri))?.[1]?.toLowerCase() ?? ""];
