import { createHash } from "node:crypto";

/** A library within a package. */
export type Component = {
  readonly name: string;
  readonly version: string;
  /** A licence's name or expression by SPDX. */
  readonly licence?: string | undefined;
};

/**
 * What a package of Mediafarm contains, as a bill of materials in the form of CycloneDX 1.6 (ECMA-424): each library once,
 * by name. The same components give the same text; `seconds` (Unix time) is when the sources were made.
 */
export const sbomOf = (version: string, components: readonly Component[], seconds: number): object => {
  const parts = new Map(components.map((component) => [addressOf(component), component]));
  const sorted = [...parts].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf([version, ...sorted.map(([address]) => address)].join("\n"))}`,
    version: 1,
    metadata: {
      timestamp: new Date(seconds * 1000).toISOString(),
      component: { type: "application", "bom-ref": "mediafarm", name: "mediafarm", version },
    },
    components: sorted.map(([purl, part]) => ({
      ...{ type: "library", "bom-ref": purl, name: part.name, version: part.version, purl },
      ...(part.licence !== undefined && { licenses: [licenceOf(part.licence)] }),
    })),
    dependencies: [{ ref: "mediafarm", dependsOn: sorted.map(([purl]) => purl) }],
  };
};

/** The address of a package of npm, as the package-url specification writes it. */
const addressOf = ({ name, version }: Component): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

const licenceOf = (words: string) =>
  /^[\w.()+ -]+$/.test(words) && !/^see licen[cs]e/i.test(words) ? { expression: words } : { license: { name: words } };

/** A UUID of form 8 (RFC 9562) that says the same as the text. */
const uuidOf = (text: string): string => {
  const hex = createHash("sha256").update(text).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
};
