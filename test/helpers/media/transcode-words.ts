import { elementOf } from "../../../media/elements/index.ts";
import { ratio } from "../../../shared/basics/rational.ts";
import type { AudioFacts, MediaFacts, VideoFacts } from "../../../shared/model/asset.ts";
import { TaskError } from "../../../shared/model/failure.ts";
import type { Work } from "../../../shared/work/work.ts";

/** A second of a film, 1920x1080 at 25 frames a second, with two channels of sound. */
export const aPicture = (more: Partial<VideoFacts> = {}): VideoFacts => ({
  ...{ index: 0, codec: "prores", timeBase: ratio(1, 12_800), start: ratio(0), duration: ratio(1), width: 1920 },
  ...{ height: 1080, pixelFormat: "yuv422p10le", frameRate: ratio(25), averageFrameRate: ratio(25), frames: 25 },
  ...{ pixelAspect: ratio(1), fieldOrder: "progressive" },
  ...more,
});

export const aSound = (more: Partial<AudioFacts> = {}): AudioFacts => ({
  ...{ index: 1, codec: "pcm_s24le", timeBase: ratio(1, 48_000), start: ratio(0), duration: ratio(1), channels: 2 },
  ...{ layout: "stereo", sampleRate: 48_000, bitsPerSample: 24 },
  ...more,
});

export type Film = { readonly video?: Partial<VideoFacts>; readonly audio?: Partial<AudioFacts> };

const factsOf = ({ video, audio }: Film): MediaFacts => ({
  ...{ format: "mov,mp4,m4a,3gp,3g2,mj2", start: ratio(0), duration: ratio(1), size: 1000, others: [] },
  ...{ video: [aPicture(video)], audio: [aSound(audio)] },
});

const planOf = (target: object | readonly object[], film: Film) => {
  const element = elementOf("transcode");
  const payload = element?.payload.parse({ location: { path: "/out" }, targets: [target].flat() });
  const inputs = [{ version: "src", files: [{ uri: "file:///in/film.mov", facts: factsOf(film) }] }];
  const context = { uid: "tc", payload, job: { id: 7, name: "j" }, inputs, factsOf: () => undefined };
  return { element, context, plan: element?.plan(context) };
};

/** The work of a transcode of one target, or of several. */
export const workOf = (target: object | readonly object[], film: Film = {}): Work => {
  const { element, context, plan } = planOf(target, film);
  const [task] = plan && "tasks" in plan ? plan.tasks : [];
  const work = task && element?.compile(task, context);
  if (!work) throw new Error("nothing was planned");
  return work;
};

/** What people are told about it. */
export const warningsOf = (target: object, film: Film = {}): string[] => {
  const { plan } = planOf(target, film);
  const warnings = plan && "warnings" in plan ? (plan.warnings ?? []) : [];
  return warnings.map((warning) => warning.replace("tc.payload.targets[0]", "target"));
};

/** The arguments of each step, references as JSON. */
export const argsOf = (target: object | readonly object[], film?: Film): string[][] =>
  workOf(target, film).steps.map((step) =>
    step.do === "ffmpeg" ? step.argv.map((arg) => (typeof arg === "string" ? arg : JSON.stringify(arg))) : [step.do],
  );

/** What stands between two of the arguments. */
const between = (args: readonly string[], first: string, last: string): string =>
  args.slice(args.indexOf(first) + 1, args.indexOf(last, args.indexOf(first))).join(" ");

/** Encoder and options of the picture, and the picture's filters before the last three, which every target has. */
export const videoWords = (target: object, film?: Film): string =>
  between(argsOf(target, film)[0] ?? [], "-c:v", "-fps_mode:v").replaceAll(":v ", " ");

export const videoFilters = (target: object, film?: Film): string =>
  /\[0:0\](.*?)\[v0\]/.exec(between(argsOf(target, film)[0] ?? [], "-filter_complex", "-map"))?.[1] ?? "";

/** Encoder and options of the first sound track. */
export const audioWords = (target: object, film?: Film): string =>
  between(argsOf(target, film)[0] ?? [], "-c:a:0", "-map_metadata").replaceAll(":a:0 ", " ");

/** What the muxer is told. */
export const muxerWords = (target: object, film?: Film): string =>
  (argsOf(target, film)[0] ?? []).join(" ").split(" -map_chapters -1 ")[1] ?? "";

/** Why a target cannot be planned. */
export const refusalOf = (target: object, film?: Film): string => {
  try {
    workOf(target, film);
  } catch (thrown) {
    if (thrown instanceof TaskError) return thrown.message.replace("tc.payload.targets[0]", "target");
    throw thrown;
  }
  return "accepted";
};
