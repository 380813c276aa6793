import type { Asset, MediaFacts, Section } from "../asset.ts";
import { TaskError } from "../causes.ts";
import { virtualSourceOfFile } from "./of-file.ts";
import type { VirtualSource } from "./virtual-source.ts";

/** An asset as one film. Its files must have their facts. Throws TaskError for a range beyond its end. */
export const virtualSourceOf = (asset: Asset, what: string): VirtualSource => {
  const [{ parts }, secondSection] = sectionsOf(asset);
  const [first, secondPart] = parts;
  if (!first || secondSection || secondPart || first.streams || (asset.range && first.range)) {
    throw new TaskError("capability", `${what}: an input of several files is not implemented yet`);
  }
  const file = asset.files[first.file];
  if (!file?.facts) throw new Error(`${what} is planned without the facts of its file`);
  const range = asset.range ?? first.range;
  return virtualSourceOfFile({ uri: file.uri, facts: file.facts, range }, `${what}: the range`);
};

/** The sections of an asset, also of one that names none: its files then play one after the other. */
export const sectionsOf = ({ sections, files }: Asset): readonly [Section, ...Section[]] => {
  const [first = { parts: [] }, ...more] = sections ?? files.map((_file, file) => ({ parts: [{ file }] }));
  return [first, ...more];
};

/** The asset with what is known by now about files that came without facts. */
export const withFacts = (
  asset: Asset,
  factsOf: (uri: string) => { readonly facts: MediaFacts } | undefined,
): Asset => ({
  ...asset,
  files: asset.files.map((file) => ({ ...file, facts: file.facts ?? factsOf(file.uri)?.facts })),
});
