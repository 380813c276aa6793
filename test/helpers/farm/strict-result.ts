import { jobResult } from "../../../shared/api/job-result.ts";

/** A result as the API's document describes it. */
export const strictResult = jobResult;
