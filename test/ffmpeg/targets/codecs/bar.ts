import { join } from "node:path";
import { ffmpeg, make } from "../../../helpers/media/media-tools.ts";

export const size = { width: 720, height: 576 };
const step = 8;

/** A white bar that moves to the right by eight points every fiftieth of a second; `fields` weaves two moments into a frame. */
export const movingBar = (folder: string, fields?: "tff" | "bff"): Promise<string> => {
  const dark = `color=black:size=${size.width}x${size.height}:rate=50:duration=1[dark]`;
  const bar = `color=white:size=24x${size.height}:rate=50:duration=1[bar]`;
  const moved = `${dark};${bar};[dark][bar]overlay=x=${step}*n:format=yuv444`;
  const woven = fields ? `,interlace=scan=${fields}:lowpass=off` : "";
  const flags = fields ? ["-flags", "+ildct+ilme"] : [];
  return make(
    join(folder, fields ? `${fields}.mov` : "bar.mov"),
    ...["-f", "lavfi", "-i", `${moved}${woven},format=yuv422p10le`, "-c:v", "prores_ks", ...flags],
  );
};

type Places = { readonly top: number; readonly bottom: number };

/** Where the bar stands in the upper and in the lower field of each frame. */
export const barPlaces = async (path: string): Promise<Places[]> => {
  const raw = await ffmpeg(["-v", "error", "-i", path, "-map", "0:v", "-pix_fmt", "gray", "-f", "rawvideo", "-"]);
  const bytes = size.width * size.height;
  return Array.from({ length: Math.floor(raw.length / bytes) }, (_, frame) => {
    const picture = raw.subarray(frame * bytes, (frame + 1) * bytes);
    return { top: placeIn(picture, 288), bottom: placeIn(picture, 289) };
  });
};

/** The middle of what is bright in a line. */
const placeIn = (picture: Uint8Array, line: number): number => {
  const row = picture.subarray(line * size.width, (line + 1) * size.width);
  const bright = [...row].flatMap((value, x) => (value > 128 ? [x] : []));
  return bright.length === 0 ? Number.NaN : bright.reduce((sum, x) => sum + x, 0) / bright.length;
};
