import type { Work } from "../../../shared/work/work.ts";
import { deletingSources } from "../copy/delete-sources.ts";
import { defineElement, type PayloadNeed } from "../element.ts";
import { compileTranscode } from "./compile.ts";
import { conflictsOfTranscode } from "./conflicts/conflicts.ts";
import { containerOf } from "./containers/index.ts";
import { planTranscode } from "./plan.ts";
import { transcodePayload } from "./schema.ts";
import { deletingSections } from "./sections/combine.ts";
import type { Target } from "./target-schema.ts";
import { videoCodecOf } from "./video/index.ts";

const afterwards = (after: NonNullable<Work["after"]>): Pick<Work, "after"> => (after.length > 0 ? { after } : {});

export const transcode = defineElement({
  kind: "transcode",
  title: "Transcode",
  payload: transcodePayload,
  conflicts: conflictsOfTranscode,
  needs: ({ targets }) => targets.flatMap(neededBy),
  plan: planTranscode,
  compile: ({ detail }, { payload, inputs }) => ({
    ...compileTranscode(detail),
    ...afterwards([
      ...deletingSections(detail),
      ...(detail.isSection ? [] : (deletingSources(payload.options?.delete_sources, inputs).after ?? [])),
    ]),
  }),
});

const neededBy = ({ container, video }: Target, index: number): PayloadNeed[] => {
  const { muxer, text } = containerOf(container?.kind ?? "") ?? {};
  const { encoder } = videoCodecOf(video?.codec ?? "") ?? {};
  return [
    ...(muxer && !text ? [{ path: ["targets", index, "container", "kind"], capability: `muxer:${muxer}` }] : []),
    ...(encoder ? [{ path: ["targets", index, "video", "codec"], capability: `encoder:${encoder}` }] : []),
  ];
};
