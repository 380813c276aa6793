/** Accents of ISO 6937 stand in front of their letter; in Unicode they are combined with it. */
const accents: Readonly<Record<string, string>> = {
  ...{ "\xc1": "\u0300", "\xc2": "\u0301", "\xc3": "\u0302", "\xc4": "\u0303", "\xc5": "\u0304", "\xc6": "\u0306" },
  ...{ "\xc7": "\u0307", "\xc8": "\u0308", "\xca": "\u030a", "\xcb": "\u0327", "\xcd": "\u030b", "\xce": "\u0328" },
  ...{ "\xcf": "\u030c" },
};

/** Characters whose codes are not those of Unicode. */
const others: Readonly<Record<string, string>> = {
  ...{ "\xa4": "$", "\xa6": "#", "\xa8": "¤", "\xa9": "‘", "\xaa": "“", "\xac": "←", "\xad": "↑", "\xae": "→" },
  ...{ "\xaf": "↓", "\xb4": "×", "\xb8": "÷", "\xb9": "’", "\xba": "”", "\xd0": "―", "\xd1": "¹", "\xd2": "®" },
  ...{ "\xd3": "©", "\xd4": "™", "\xd5": "♪", "\xe0": "Ω", "\xe1": "Æ", "\xe2": "Đ", "\xe3": "ª", "\xe4": "Ħ" },
  ...{ "\xe6": "Ĳ", "\xe7": "Ŀ", "\xe8": "Ł", "\xe9": "Ø", "\xea": "Œ", "\xeb": "º", "\xec": "Þ", "\xed": "Ŧ" },
  ...{ "\xee": "Ŋ", "\xef": "ŉ", "\xf0": "ĸ", "\xf1": "æ", "\xf2": "đ", "\xf3": "ð", "\xf4": "ħ", "\xf5": "ı" },
  ...{ "\xf6": "ĳ", "\xf7": "ŀ", "\xf8": "ł", "\xf9": "ø", "\xfa": "œ", "\xfb": "ß", "\xfc": "þ", "\xfd": "ŧ" },
  ...{ "\xfe": "ŋ" },
};

const turned = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).map(([code, character]) => [character, code]));
const [codesOfAccents, codesOfOthers] = [turned(accents), turned(others)];
const plain: Readonly<Record<string, string>> = { "–": "-", "—": "-", "…": "...", "\u2019": "'", "\u00a0": " " };

/** A text as codes of ISO 6937, one character each; what it lacks becomes a question mark. */
export const encodeLatin = (text: string): string =>
  [...text.normalize("NFC").replaceAll(/[–—…\u00a0]/g, (each) => plain[each] ?? each)].map(codeOf).join("");

const codeOf = (character: string): string => {
  const known = codesOfOthers.get(character);
  if (known !== undefined && character !== "$" && character !== "#") return known;
  if (/[ -~¡¢£¥§«°±²³µ¶·»¼½¾¿]/.test(character)) return character;
  const [letter = "?", accent = "", ...more] = character.normalize("NFD");
  const code = codesOfAccents.get(accent);
  if (code !== undefined && more.length === 0) return code + letter;
  return /[ -~]/.test(letter) ? letter : "?";
};

/** Such codes as text. */
export const decodeLatin = (codes: string): string =>
  codes
    .replaceAll(/([\xc1-\xcf])([A-Za-z])/g, (_, accent: string, letter: string) => letter + (accents[accent] ?? ""))
    .replaceAll(/[\xa4-\xfe]/g, (code) => others[code] ?? code)
    .normalize("NFC");
