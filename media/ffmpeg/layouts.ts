/** Layouts by number of channels, in the order that timelines use. */
const usual: Readonly<Record<number, string>> = {
  1: "mono",
  2: "stereo",
  3: "3.0",
  4: "4.0",
  5: "5.0",
  6: "5.1",
  7: "6.1",
  8: "7.1",
  16: "hexadecagonal",
};

/** Channels of each layout in order, as ffmpeg names both. */
const channels: Readonly<Record<string, string>> = {
  ...{ mono: "FC", stereo: "FL FR", downmix: "DL DR", "2.1": "FL FR LFE", "3.0": "FL FR FC", "3.0(back)": "FL FR BC" },
  ...{ "4.0": "FL FR FC BC", quad: "FL FR BL BR", "quad(side)": "FL FR SL SR", "3.1": "FL FR FC LFE" },
  ...{ "5.0": "FL FR FC BL BR", "5.0(side)": "FL FR FC SL SR", "4.1": "FL FR FC LFE BC" },
  ...{ "5.1": "FL FR FC LFE BL BR", "5.1(side)": "FL FR FC LFE SL SR", "6.0": "FL FR FC BC SL SR" },
  ...{ "6.0(front)": "FL FR FLC FRC SL SR", "3.1.2": "FL FR FC LFE TFL TFR", hexagonal: "FL FR FC BL BR BC" },
  ...{ "6.1": "FL FR FC LFE BC SL SR", "6.1(back)": "FL FR FC LFE BL BR BC", "6.1(front)": "FL FR LFE FLC FRC SL SR" },
  ...{ "7.0": "FL FR FC BL BR SL SR", "7.0(front)": "FL FR FC FLC FRC SL SR", "7.1": "FL FR FC LFE BL BR SL SR" },
  ...{ "7.1(wide)": "FL FR FC LFE BL BR FLC FRC", "7.1(wide-side)": "FL FR FC LFE FLC FRC SL SR" },
  ...{ "5.1.2": "FL FR FC LFE BL BR TFL TFR", "7.1(top)": "FL FR FC LFE BL BR TFL TFR" },
  ...{ octagonal: "FL FR FC BL BR BC SL SR", cube: "FL FR BL BR TFL TFR TBL TBR" },
  "5.1.4": "FL FR FC LFE BL BR TFL TFR TBL TBR",
  "7.1.2": "FL FR FC LFE BL BR SL SR TFL TFR",
  "7.1.4": "FL FR FC LFE BL BR SL SR TFL TFR TBL TBR",
  "7.2.3": "FL FR FC LFE BL BR SL SR TFL TFR TBC LFE2",
  "9.1.4": "FL FR FC LFE BL BR FLC FRC SL SR TFL TFR TBL TBR",
  hexadecagonal: "FL FR FC BL BR BC SL SR TFL TFC TFR TBL TBC TBR WL WR",
  "22.2": "FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR LFE2 TSL TSR BFC BFL BFR",
};

export const isLayout = (name: string): boolean => Object.hasOwn(channels, name);

/** Every channel in the order that layouts have them. */
const order =
  "FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR DL DR WL WR SDL SDR LFE2 TSL TSR BFC BFL BFR".split(
    " ",
  );

/** The channels of a layout that has a name, or that names its channels: `FL+LFE`, `2 channels (FL+LFE)`. */
export const channelNamesOf = (layout: string): readonly string[] => {
  const listed = /\((\w+(?:\+\w+)*)\)$/.exec(layout)?.[1];
  return (channels[layout] ?? (layout.includes(" channels ") ? listed : layout) ?? layout).split(/[ +]/);
};

/** The channels of a sound in its order; a layout that is missing or unknown is the usual one for their number. */
export const channelsIn = (sound: { readonly channels: number; readonly layout?: string }): readonly string[] => {
  const named = channelNamesOf(sound.layout ?? "");
  if (named.length === sound.channels && named.every((name) => order.includes(name))) return named;
  const guessed = channelNamesOf(layoutOf(sound.channels) ?? "");
  return guessed.length === sound.channels ? guessed : Array.from({ length: sound.channels }, (_, at) => `?${at}`);
};

/** Channels in the order that a layout has them. */
export const inLayoutOrder = (names: readonly string[]): string[] =>
  [...names].sort((a, b) => order.indexOf(a) - order.indexOf(b));

/** The name of the layout of these channels in layout order; without one, the list of them. */
export const layoutNamed = (names: readonly string[]): string => {
  const list = names.join(" ");
  return Object.entries(channels).find(([, each]) => each === list)?.[0] ?? names.join("+");
};

/** Named layouts of so many channels at most that every build of ffmpeg knows. */
export const layoutsUpTo = (most: number): string[] =>
  Object.keys(channels).filter(
    (name) => /^(mono|stereo|[2-7]\.[01](\((?!top)\w+\))?)$/.test(name) && sizeOf(name) <= most,
  );

const sizeOf = (layout: string): number => channelNamesOf(layout).length;

/** Numbers without a layout of their own take the first channels of the largest. */
export const layoutOf = (count: number): string | undefined => {
  const most = channelNamesOf("hexadecagonal");
  if (count === 24) return "22.2";
  if (usual[count] !== undefined || count < 1 || count > most.length) return usual[count];
  return most.slice(0, count).join("+");
};
