import { capabilityError } from "../../../shared/model/failure.ts";
import type { Manifest } from "../../../shared/work/manifest.ts";
import type { Component, Version } from "./components.ts";
import type { Contents } from "./schema.ts";

/**
 * Replaces a version whose component is a manifest by the versions of the manifest's sections. Throws TaskError
 * `capability` if other components would have to be spread over several sections.
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
    throw capabilityError(
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
      // A unique name for each: two tracks of one manifest are two files.
      ...(isFile ? { uri: whole.uri } : { uri: `${component.uri}#${at}.${number}`, pieces }),
      contents: takesOf(takes, language, component.contents),
      sharesClock: kind !== "imf",
    };
  });

/** The track's contents that the component requests. */
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
