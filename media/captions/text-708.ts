/** Characters of CEA-708 beyond ASCII and Latin-1: code set G2, each behind `0x10`. */
const extended: Readonly<Record<string, number>> = {
  ...{ "…": 0x25, Š: 0x2a, Œ: 0x2c, "█": 0x30, "‘": 0x31, "’": 0x32, "“": 0x33, "”": 0x34, "•": 0x35 },
  ...{ "™": 0x39, š: 0x3a, œ: 0x3c, "℠": 0x3d, Ÿ: 0x3f },
};

const note = 0x7f;

/** The bytes of each character. One that is missing becomes the nearest that is there, without its accents, or nothing. */
export const bytesOfText = (text: string): number[][] =>
  [...text].flatMap((character) => {
    const own = bytesOf(character);
    if (own) return [own];
    const plain = plainer[character] ?? character.normalize("NFKD").replaceAll(/\p{M}/gu, "");
    return [...plain].flatMap((each) => {
      const bytes = bytesOf(each);
      return bytes ? [bytes] : [];
    });
  });

const plainer: Readonly<Record<string, string>> = { "–": "-", "—": "-", "\u2212": "-", ł: "l", Ł: "L" };

const bytesOf = (character: string): number[] | undefined => {
  const code = character.codePointAt(0) ?? 0;
  if (character === "♪") return [note];
  if (code === 0xa0) return [0x10, 0x21];
  if ((code >= 0x20 && code < 0x7f) || (code >= 0xa1 && code <= 0xff)) return [code];
  const second = Object.hasOwn(extended, character) ? extended[character] : undefined;
  return second === undefined ? undefined : [0x10, second];
};
