/** Layout by number of channels, in the order that the film world uses. */
const layouts: Readonly<Record<number, string>> = {
  ...{ 1: "mono", 2: "stereo", 3: "3.0", 4: "4.0", 5: "5.0", 6: "5.1", 7: "6.1", 8: "7.1", 16: "hexadecagonal" },
};

export const layoutOf = (channels: number): string | undefined => layouts[channels];
