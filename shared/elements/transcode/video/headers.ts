import { TaskError } from "../../../causes.ts";
import type { VideoContext } from "./video.ts";

/** What x264 and x265 call an unspecified system; they have the others' words. */
export const videoFormat = (name: NonNullable<VideoContext["video"]["video_format"]>): string =>
  name === "unspecified" ? "undef" : name;

/** Signals of the buffer come from the encoder, or not at all. */
export const refuseHrd = ({ video: { hrd_signaling }, path }: VideoContext): void => {
  if (hrd_signaling !== "post_process") return;
  throw new TaskError("capability", `${path}.hrd_signaling "post_process" is not implemented yet; "encoder" is`);
};
