import { capabilityError } from "../../../../../shared/model/failure.ts";
import type { VideoContext } from "../video.ts";

/** x264's and x265's name for an unspecified system; the other names are the same. */
export const videoFormat = (name: NonNullable<VideoContext["video"]["video_format"]>): string =>
  name === "unspecified" ? "undef" : name;

/** Buffer signals come from the encoder, or not at all. */
export const refuseHrd = ({ video: { hrd_signaling }, path }: VideoContext): void => {
  if (hrd_signaling !== "post_process") return;
  throw capabilityError(`${path}.hrd_signaling "post_process" is not implemented yet; "encoder" is`);
};
