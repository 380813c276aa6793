/** Channels in order by ffprobe's layout name, with the names used in broadcasting. */
const layouts: Readonly<Record<string, string>> = {
  mono: "C",
  stereo: "L R",
  downmix: "Lt Rt",
  "2.1": "L R LFE",
  "3.0": "L R C",
  "3.0(back)": "L R Cs",
  "3.1": "L R C LFE",
  "4.0": "L R C Cs",
  quad: "L R Lb Rb",
  "quad(side)": "L R Ls Rs",
  "4.1": "L R C LFE Cs",
  "5.0": "L R C Ls Rs",
  "5.0(side)": "L R C Ls Rs",
  "5.1": "L R C LFE Ls Rs",
  "5.1(side)": "L R C LFE Ls Rs",
  "6.0": "L R C Cs Ls Rs",
  "6.1": "L R C LFE Cs Ls Rs",
  "6.1(back)": "L R C LFE Lb Rb Cs",
  "7.0": "L R C Lb Rb Ls Rs",
  "7.1": "L R C LFE Lb Rb Ls Rs",
  "7.1(wide)": "L R C LFE Lb Rb Lw Rw",
};

type Sound = { readonly channels: number; readonly layout?: string };

/** The names of a track's channels; undefined if its layout is missing or unknown. */
export const channelsOf = ({ channels, layout }: Sound): string[] | undefined => {
  const names = layouts[layout ?? ""]?.split(" ");
  return names?.length === channels ? names : undefined;
};
