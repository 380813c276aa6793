import { TaskError } from "../../causes.ts";
import type { Manifest } from "../../manifests/manifest.ts";
import type { Component, Version } from "./components.ts";
import type { Contents } from "./schema.ts";

/**
 * A version whose component is a manifest, as the versions that the manifest's sections are. Throws TaskError
 * `capability` where other components would have to be spread over several sections.
 */
export const expandManifests = (
  version: Version,
  manifestOf: (component: Component) => Manifest | undefined,
): Version[] => {
  const found = version.components.flatMap((component) => {
    const manifest = manifestOf(component);
    return manifest ? [{ component, manifest }] : [];
  });
  if (found.length === 0) return [version];
  const [only] = found;
  if (only && version.components.length === 1) {
    return only.manifest.sections.map((_, at) => ({
      ...version,
      components: componentsOf(only.component, only.manifest, at),
    }));
  }
  const long = found.find(({ manifest }) => manifest.sections.length > 1);
  if (long) {
    throw new TaskError(
      "capability",
      `${long.component.path}: a manifest of several sections beside other components is not implemented`,
    );
  }
  const components = version.components.flatMap((component) => {
    const manifest = manifestOf(component);
    return manifest ? componentsOf(component, manifest, 0) : [component];
  });
  return [{ ...version, components }];
};

const componentsOf = (component: Component, { kind, sections }: Manifest, at: number): Component[] =>
  (sections[at]?.tracks ?? []).map((track, number): Component => {
    const { takes, language, pieces, range } = track;
    const [whole, second] = pieces;
    const isFile = whole && !second && whole.from === undefined && whole.length === undefined;
    return {
      trim: component.trim,
      options: component.options,
      path: component.path,
      range,
      // A name of its own for each: two tracks of one manifest are two files.
      ...(isFile ? { uri: whole.uri } : { uri: `${component.uri}#${at}.${number}`, pieces }),
      contents: takesOf(takes, language, component.contents),
      sharesClock: kind !== "imf",
    };
  });

/** What the track has and the component asks for. */
const takesOf = (
  takes: readonly ("video" | "audio")[],
  language: string | undefined,
  asked: Contents | undefined,
): Contents =>
  takes.flatMap((kind): Contents => {
    const requested = asked?.filter((each) => each.kind === kind);
    if (requested) return requested.map((each) => ({ ...each, language: each.language ?? language }));
    return [{ kind, ...(language !== undefined && { language }) }];
  });
