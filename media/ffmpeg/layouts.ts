/** Layouts by number of channels, in the order that timelines use. */
const layouts: Readonly<Record<number, string>> = {
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

/** Channels of each layout in order, as ffmpeg names them. */
const channels: Readonly<Record<string, string>> = {
  mono: "FC",
  stereo: "FL FR",
  "3.0": "FL FR FC",
  "4.0": "FL FR FC BC",
  "5.0": "FL FR FC BL BR",
  "5.1": "FL FR FC LFE BL BR",
  "6.1": "FL FR FC LFE BC SL SR",
  "7.1": "FL FR FC LFE BL BR SL SR",
  hexadecagonal: "FL FR FC BL BR BC SL SR TFL TFC TFR TBL TBC TBR WL WR",
};

export const channelNamesOf = (layout: string): readonly string[] => (channels[layout] ?? layout).split(/[ +]/);

/** Numbers without a layout of their own take the first channels of the largest. */
export const layoutOf = (count: number): string | undefined => {
  const most = channelNamesOf("hexadecagonal");
  if (layouts[count] !== undefined || count < 1 || count > most.length) return layouts[count];
  return most.slice(0, count).join("+");
};
