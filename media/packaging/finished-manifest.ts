import { xmlText } from "../../shared/basics/xml-text.ts";
import type { Finishing } from "../../shared/work/media-steps/finish-manifest.ts";
import { languageTag } from "./language-tag.ts";

type Said = Pick<Finishing, "tracks" | "addresses">;

/** A DASH manifest of ffmpeg with the names, labels and addresses of the job, and with languages as DASH writes them. */
export const finished = (manifest: string, { tracks, addresses }: Said): string =>
  withBase(manifest, addresses)
    .replace(/(<AdaptationSet\b[^>]*>)(\s*)([\s\S]*?<\/AdaptationSet>)/g, (_whole, head: string, gap: string, rest) => {
      const label = tracks.find(({ number }) => rest.includes(`<Representation id="${number}"`))?.label;
      const labelled = label === undefined ? "" : `<Label>${xmlText(label)}</Label>${gap}`;
      return `${withLanguage(head)}${gap}${labelled}${rest}`;
    })
    .replace(/<Representation id="(\d+)"[\s\S]*?<\/Representation>/g, (one, number: string) => {
      const id = tracks.find((each) => each.number === Number(number))?.id ?? number;
      // Files were named by the number.
      const named = one.replaceAll("$RepresentationID$", number).replace(/ id="\d+"/, ` id="${id}"`);
      return named.replace(
        /(<BaseURL>|\b(?:media|initialization)=")([^<"]*)/g,
        (_whole, before: string, address: string) => `${before}${replaced(address, addresses)}`,
      );
    });

const baseName = /^base_?url$/i;

const withBase = (manifest: string, addresses: Said["addresses"]): string => {
  const base = addresses.find(({ name }) => baseName.test(name));
  if (!base) return manifest;
  return manifest.replace(/(\s*)(<ServiceDescription\b|<Period\b)/, (_whole, gap: string, next: string) => {
    return `${gap}<BaseURL>${xmlText(base.value)}</BaseURL>${gap}${next}`;
  });
};

const withLanguage = (head: string): string =>
  head.replace(/ lang="([^"]*)"/, (_whole, language: string) => ` lang="${languageTag(language)}"`);

const replaced = (address: string, addresses: Said["addresses"]): string =>
  addresses
    .filter(({ name }) => !baseName.test(name))
    .reduce((text, { name, value }) => text.replaceAll(xmlText(name), () => xmlText(value)), address);
