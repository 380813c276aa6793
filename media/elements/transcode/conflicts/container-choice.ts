import { nameOf } from "../../../../shared/files/location.ts";
import type { MediaFacts } from "../../../../shared/model/asset.ts";
import { capabilityError, definitionError } from "../../../../shared/model/failure.ts";
import { mainVideo } from "../../../formats/stream-timing.ts";
import { audioCodecOf } from "../audio/index.ts";
import type { AudioTarget } from "../audio/schema.ts";
import type { Container } from "../containers/container.ts";
import { containerOf, containerOfName, containerOfSource, elementaryOf } from "../containers/index.ts";
import type { Target } from "../target-schema.ts";
import { videoCodecOf } from "../video/index.ts";
import { notImplemented } from "./unsupported-fields.ts";

type Source = { readonly facts: MediaFacts; readonly uri: string };

/** The container of a target: the one it names, else the one of its file's name, else the one its pictures need. */
export const containerOfTarget = (target: Target, source: Source, path: string): Container => {
  const kind = target.container?.kind;
  if (kind === "copy") return ofSource(source, path);
  if (kind === "elementary") return elementaryFor(target, source.facts, path);
  const found = statedContainer(target);
  if (found) return found;
  if (kind !== undefined) return notImplemented(`${path}.container.kind`, kind);
  const ending = /\.[a-z0-9]{1,5}$/i.exec(target.file_pattern)?.[0];
  if (ending) throw capabilityError(`${path}: files ending in "${ending}" are not implemented yet`);
  throw definitionError(`${path} has no container, and the name of its file does not tell one`);
};

/** The container as far as the target alone decides it; undefined where the source decides, or nothing is known. */
export const statedContainer = ({ container, file_pattern, video, audio }: Target): Container | undefined => {
  const kind = container?.kind;
  if (kind === "copy") return undefined;
  if (kind === "elementary") {
    const codec = video?.enabled ? codecOf(video.codec) : audio?.[0] && soundOf(audio[0]);
    return codec === undefined ? undefined : elementaryOf(codec);
  }
  if (kind !== undefined) return containerOf(kind);
  const extension = video?.codec === "png" ? ".png" : video?.codec === "jpeg" ? ".jpg" : "";
  return containerOfName(file_pattern) ?? containerOfName(extension);
};

const ofSource = ({ facts, uri }: Source, path: string): Container => {
  const found = containerOfSource(facts.format, nameOf(uri));
  if (found) return found;
  throw capabilityError(`${path}.container.kind copy: files of ${facts.format} are not implemented yet`);
};

const elementaryFor = (target: Target, facts: MediaFacts, path: string): Container => {
  const { video, audio } = target;
  const copied = video?.enabled ? mainVideo(facts)?.codec : facts.audio[0]?.codec;
  const isCopy = (video?.enabled ? video.codec : audio?.[0]?.codec) === "copy";
  const found = isCopy ? elementaryOf(copied ?? "") : statedContainer(target);
  if (found) return found;
  const codec = isCopy ? copied : (video?.codec ?? audio?.[0]?.codec);
  if (codec === undefined)
    throw definitionError(`${path}.container.kind elementary needs a codec of video or of audio`);
  const what = isCopy ? `${codec}, which codec copy takes,` : codec;
  throw capabilityError(`${path}.container.kind elementary: no file of ${what} alone is implemented`);
};

const codecOf = (name: string | undefined) => (name === undefined ? undefined : videoCodecOf(name)?.probed);

const soundOf = (audio: AudioTarget) =>
  audio.codec === undefined ? undefined : audioCodecOf(audio.codec)?.probed({ audio, container: undefined });
