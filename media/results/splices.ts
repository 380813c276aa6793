import { z } from "zod";
import { maxSplicePoints, splicePoint } from "../../shared/work/splice-point.ts";

/** The SCTE-35 sections that were found in a stream or listed in a file. */
export const splices = z.strictObject({ points: z.array(splicePoint).max(maxSplicePoints) });
