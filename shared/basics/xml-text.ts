/** A text as written in an XML element or attribute. Characters that XML does not allow are removed. */
export const xmlText = (text: string): string =>
  text
    .replaceAll(unwritable, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

/** Attributes of an XML element, each behind a space; those without a value are left out. */
export const xmlAttributes = (values: Readonly<Record<string, string | number | undefined>>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${xmlText(String(value))}"`]))
    .join("");

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the letters that XML 1.0 excludes
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
