/** A language as manifests write it: `eng` is `en` (RFC 5646 asks for the shortest code). What is no code stays as it is. */
export const languageTag = (language: string): string => {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? language;
  } catch {
    return language;
  }
};
