import { submitJob as submit } from "../../../coordinator/jobs/submit.ts";

/** Submits a job and returns its id. */
export const submitJob = async (...given: Parameters<typeof submit>): Promise<number> => (await submit(...given)).id;
