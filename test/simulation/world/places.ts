/** Where things are on every machine of a simulated farm. */
export const dataDir = "/data";
export const agentDir = "/agent";
/** The share that all agents may read and write. */
export const shareAt = "/share";
