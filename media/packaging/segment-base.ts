/** The profile of manifests whose files have an index each (ISO/IEC 23009-1, 8.3). */
export const onDemandProfile = "urn:mpeg:dash:profile:isoff-on-demand:2011";

/** The lines that say where a file's header and index are. */
export const segmentBase = (head: number, from: number, length: number): string[] => [
  `<SegmentBase indexRange="${from}-${from + length - 1}">`,
  `  <Initialization range="0-${head - 1}"/>`,
  "</SegmentBase>",
];

/** Where a file's index is, and how long its header is. */
export type IndexPlace = { readonly head: number; readonly from: number; readonly length: number };

/** The files that a manifest names with lists of their segments. */
export const listedFiles = (manifest: string): string[] =>
  [...manifest.matchAll(representation)].map(([, , name = ""]) => name);

/** Replaces those lists by the places of the files' indexes: readers without byte ranges open the manifest too. */
export const withSegmentBases = (manifest: string, placeOf: (name: string) => IndexPlace): string =>
  manifest
    .replace(/profiles="[^"]*"/, `profiles="${onDemandProfile}"`)
    .replace(representation, (_whole, before: string, name: string, indent: string) => {
      const { head, from, length } = placeOf(name);
      return `${before}${segmentBase(head, from, length).join(indent)}`;
    });

const representation = /(<BaseURL>([^<]*)<\/BaseURL>(\s*))<SegmentList\b[\s\S]*?<\/SegmentList>/g;
