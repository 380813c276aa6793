import { z } from "zod";
import { mostPoints, splicePoint } from "../splices/point.ts";

/** The SCTE-35 sections that were found in a stream or listed in a file. */
export const splices = z.strictObject({ points: z.array(splicePoint).max(mostPoints) });
