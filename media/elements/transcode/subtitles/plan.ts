import { toNumber } from "../../../../shared/basics/rational.ts";
import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import type { FormName } from "../../../../shared/work/subtitle-forms.ts";
import { languageOf } from "../../../formats/language.ts";
import type { VirtualSource } from "../../../virtual-source/virtual-source.ts";
import type { Container } from "../containers/container.ts";
import { checkedPid } from "../containers/transport-stream.ts";
import type { Extras } from "../filters/extras.ts";
import type { PlannedText, TextMaking } from "../recipe.ts";
import type { SubtitleTarget } from "../subtitle-schema.ts";
import type { VideoPlan } from "../video/video.ts";
import { type Candidate, findTextCandidates, refuseUnreadable } from "./candidates.ts";
import { planDvb } from "./dvb.ts";

type Request = {
  readonly subtitle: SubtitleTarget;
  /** The track's place in the target. */
  readonly index: number;
  readonly source: VirtualSource;
  readonly speed: number | undefined;
  readonly extras: Extras;
  readonly path: string;
};
type TrackRequest = Request & { readonly video: VideoPlan | undefined };

/** A subtitle track in a container with pictures; undefined where the source has none and need not have. */
export const planTextTrack = (request: TrackRequest, container: Container): PlannedText | undefined => {
  const { subtitle, path } = request;
  const held = container.texts ?? {};
  const [usual] = Object.keys(held);
  const format = subtitle.format ?? usual;
  const track = format === undefined ? undefined : held[format];
  if (!track) {
    const able = usual === undefined ? "holds no subtitles" : `holds ${Object.keys(held).join(", ")}`;
    throw capabilityError(`${path}.format ${format ?? ""}: a ${container.extensions[0]} file ${able}`);
  }
  const isDrawn = track.form === "pages";
  refuseOptions(subtitle, path, isDrawn);
  const found = making(request, track.form);
  if (!found) return undefined;
  const { candidate, ...made } = found;
  const language = languageOf(subtitle.language) ?? candidate?.language;
  const isForDeaf = candidate?.category === "sdh";
  return {
    making: {
      ...made.making,
      ...(isDrawn && { dvb: planDvb(request, language, isForDeaf) }),
      // What has classes of colours says so in its head, which no container of media keeps.
      ...(track.form === "webvtt" && { isTrack: true }),
    },
    options: { c: track.encoder, disposition: dispositionOf(candidate) },
    metadata: {
      ...(language !== undefined && { language }),
      ...(subtitle.track_name !== undefined && { title: subtitle.track_name }),
    },
    pid: checkedPid(subtitle.pid, `${path}.pid`),
  };
};

const dispositionOf = (candidate: Candidate | undefined): string | undefined =>
  candidate && { forced: "forced", sdh: "hearing_impaired" }[candidate.category];

/** Subtitles in a file of their own. */
export const planTextFile = (request: Request, form: FormName): TextMaking | undefined => {
  const { subtitle, path } = request;
  refuseOptions(subtitle, path, false);
  const isOther = subtitle.format !== undefined && subtitle.format !== form && subtitle.format !== "timed_text";
  if (isOther) throw definitionError(`${path}.format "${subtitle.format}" contradicts the container, which is ${form}`);
  return making(request, form)?.making;
};

const refuseOptions = ({ dvb_options, stl_options }: SubtitleTarget, path: string, isDrawn: boolean): void => {
  if (stl_options)
    throw capabilityError(`${path}.stl_options is not implemented: the specification names no field of it`);
  if (dvb_options && !isDrawn)
    throw definitionError(`${path}.dvb_options is for format dvbsub, which transport streams hold`);
};

type Found = { readonly making: TextMaking; readonly candidate: Candidate | undefined };

const making = (request: Request, form: FormName): Found | undefined => {
  const { subtitle, source, speed, path } = request;
  const candidate = candidateFor(request);
  if (!candidate && subtitle.source_map === "use_if_exists") return undefined;
  if (!candidate && subtitle.source_map === "required_in_source") {
    const wanted = subtitle.language === undefined ? "" : ` in ${subtitle.language}`;
    throw definitionError(
      `${path}: the source has no subtitles${wanted}; source_map "use_if_exists" makes the file without them`,
    );
  }
  if (candidate) refuseUnreadable(candidate.from.uri, path);
  const { duration } = source.timing;
  const begin = candidate?.begin ?? 0;
  const lasts = duration && toNumber(duration) * 1000 * (speed ?? 1);
  const language = subtitle.override_language_code ?? subtitle.language ?? candidate?.language;
  const { drop_frame: isDrop } = subtitle.scc_options ?? {};
  return {
    candidate,
    making: {
      ...{ from: candidate?.from, form, language, isDrop },
      stretch: { from: begin, to: lasts && Math.round(begin + lasts), speed, ...clocksOf(candidate) },
    },
  };
};

const clocksOf = (candidate: Candidate | undefined): Pick<Candidate, "clock" | "shown"> => ({
  ...(candidate?.clock !== undefined && { clock: candidate.clock }),
  ...(candidate?.shown !== undefined && { shown: candidate.shown }),
});

/** The one in the wanted language, else the one at the track's place; a single one without a language fits all. */
const candidateFor = ({ subtitle, index, source, extras }: Request): Candidate | undefined => {
  const all = findTextCandidates(source, extras.sidecars, extras.start);
  const wanted = languageOf(subtitle.language);
  if (wanted === undefined) return all[index] ?? (all.length === 1 ? all[0] : undefined);
  const unknown = all.filter(({ language }) => language === undefined);
  return all.find(({ language }) => language === wanted) ?? unknown[index] ?? unknown[0];
};
