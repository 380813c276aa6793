import { z } from "zod";

const tag = z.string().min(1).max(100);
const tags = z.array(tag).max(100);

/** A group of nodes: the tags they provide in addition to their own, and the tags a task must have to run there. */
export const computeGroup = z.strictObject({
  name: z.string().min(1).max(200),
  provided_tags: tags,
  /** A node of the group takes only tasks that have all of these tags. */
  mandatory_tags: tags,
});
export type ComputeGroup = z.output<typeof computeGroup>;

export const computeGroupTags = z.strictObject({ provided_tags: tags.default([]), mandatory_tags: tags.default([]) });

/** The maximum number of tasks with the tag that run in parallel on the whole farm. */
export const tagLimit = z.strictObject({ tag, most: z.number().int().min(0).max(1_000_000) });
export type TagLimit = z.output<typeof tagLimit>;
/** With the number that runs now. */
export const tagLimitNow = tagLimit.extend({ running: z.number().int() });
export type TagLimitNow = z.output<typeof tagLimitNow>;
export const maxTagLimits = 1000;
export const tagLimits = z.array(tagLimit).max(maxTagLimits);
