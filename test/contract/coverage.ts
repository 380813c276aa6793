/** Fields that no generated test takes, and where they are tested instead. */
export const skippedFields: Readonly<Record<string, string>> = {
  "2.4/*.$inherits": "stands in any object: test/shared/definitions.test.ts, $inherits",
};

/** Enum values that are not taken, and why. */
export const skippedValues: Readonly<Record<string, string>> = {
  "2.1/job.schema thirdparty": "answers 400 in words: its importer is to come",
  "2.5/job_info.status running": "the specification contradicts itself: running is a substatus here",
  "2.6.7/audio.codec_provider hybrik": "another spelling: test/shared/aliases.test.ts",
};

/** Defaults that do not show when a job is read, and where they do. */
export const skippedDefaults: Readonly<Record<string, string>> = {
  "2.6.7/audio.sample_size": "decided when pcm is planned: test/elements/transcode.test.ts",
};
