import { readFileSync } from "node:fs";

/** A library within a bundle, as the bundler names it. */
export type Licence = {
  readonly name: string;
  readonly version: string;
  /** An expression of SPDX, such as `MIT`, as far as the library says one. */
  readonly identifier?: string;
  /** The text that comes with the library. */
  readonly text?: string;
};

/** What the bundler writes beside its bundles. */
export const licencesFile = "licences.json";

export const readLicences = (file: string): readonly Licence[] => JSON.parse(readFileSync(file, "utf8"));

/** The licence texts that the libraries require to go with their code, as Markdown. */
export const licencePage = (licences: readonly Licence[]): string =>
  `${["# Licences", "The bundles beside this file contain these libraries:", ...licences.map(section)].join("\n\n")}\n`;

const section = ({ name, version, identifier, text }: Licence): string =>
  [`## ${name} ${version}${identifier === undefined ? "" : ` (${identifier})`}`, text].filter(Boolean).join("\n\n");
