import { join } from "node:path";
import { make } from "../../../helpers/media/media-tools.ts";

/** Frames of the source, and the second at which its sound becomes loud. */
export const frames = 25;
export const loudAt = 0.5;
export const tones = [440, 1000] as const;

const tone = (hertz: number) => `0.6*sin(2*PI*${hertz}*t)*if(lt(t,${loudAt}),0.05,1)`;

/** A second in which no picture is like another, with a tone of its own on either channel that becomes loud half-way. */
export const makeSource = (folder: string): Promise<string> =>
  make(
    join(folder, "in.mkv"),
    ...["-f", "lavfi", "-i", "testsrc=size=320x180:rate=25:duration=1"],
    ...["-f", "lavfi", "-i", "mandelbrot=size=320x180:rate=25:start_scale=1.5:end_scale=0.3"],
    ...["-f", "lavfi", "-i", `aevalsrc='${tone(tones[0])}|${tone(tones[1])}':s=48000:d=1`],
    ...["-filter_complex", "[1:v]trim=end_frame=25,hue=h=n*14[m];[m][0:v]blend=all_opacity=0.6,format=yuv420p[v]"],
    ...["-map", "[v]", "-map", "2:a", "-c:v", "ffv1", "-c:a", "pcm_s16le", "-frames:v", String(frames)],
  );
