/** Names and two-letter codes that jobs use -> ISO 639-2, the only form that all containers take. */
const codes: Readonly<Record<string, string>> = {
  ...{ en: "eng", english: "eng", de: "deu", german: "deu", fr: "fra", french: "fra", es: "spa", spanish: "spa" },
  ...{ it: "ita", italian: "ita", pt: "por", portuguese: "por", nl: "nld", dutch: "nld", sv: "swe", swedish: "swe" },
  ...{ da: "dan", danish: "dan", no: "nor", norwegian: "nor", fi: "fin", finnish: "fin", is: "isl", pl: "pol" },
  ...{ polish: "pol", cs: "ces", czech: "ces", sk: "slk", hu: "hun", hungarian: "hun", ro: "ron", bg: "bul" },
  ...{ el: "ell", greek: "ell", tr: "tur", turkish: "tur", ru: "rus", russian: "rus", uk: "ukr", hr: "hrv", sr: "srp" },
  ...{ ar: "ara", arabic: "ara", he: "heb", hebrew: "heb", hi: "hin", hindi: "hin", th: "tha", vi: "vie", id: "ind" },
  ...{ ja: "jpn", japanese: "jpn", ko: "kor", korean: "kor", zh: "zho", chinese: "zho", ca: "cat", et: "est" },
  ...{ lv: "lav", lt: "lit", sl: "slv" },
  // The same languages by the codes of libraries, and by ffmpeg's own for QuickTime.
  ...{ ger: "deu", fre: "fra", dut: "nld", gre: "ell", ice: "isl", chi: "zho", cze: "ces", slo: "slk", rum: "ron" },
  ...{ sve: "swe", per: "fas", alb: "sqi", arm: "hye", baq: "eus", bur: "mya", geo: "kat", mac: "mkd", may: "msa" },
  ...{ mao: "mri", tib: "bod", wel: "cym" },
};

/** QuickTime numbers its languages, which ffmpeg knows by these codes. */
const quickTime: Readonly<Record<string, string>> = {
  ...{ deu: "ger", nld: "dut", swe: "sve", ell: "gre", isl: "ice", hrv: "hr", zho: "chi", srp: "sr" },
  ...{ sqi: "alb", hye: "arm", mya: "bur", kat: "geo", mkd: "mac", msa: "may", bod: "tib", fas: "iri" },
};

/** A language of `languageOf`, as the code that this ffmpeg muxer expects. */
export const languageFor = (muxer: string, language: string): string =>
  muxer === "mov" ? (quickTime[language] ?? language) : language;

/** `en`, `en-US`, `English` and `eng` are all "eng". Undefined for an unknown language. */
export const languageOf = (text: string | undefined): string | undefined => {
  const word = text?.trim().toLowerCase() ?? "";
  const main = word.split(/[-_]/, 1)[0] ?? "";
  return codes[word] ?? codes[main] ?? (/^[a-z]{3}$/.test(main) ? main : undefined);
};
