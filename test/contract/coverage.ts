/** Fields that no generated test takes, and where they are tested instead. */
export const testedFields: Readonly<Record<string, string>> = {
  // It stands in any object.
  "2.4/*.$inherits": "test/shared/model/definitions.test.ts: brings the contents of the object",
};

/** Enum values that are read as other ones, or refused in words for now, and where that is tested. */
export const testedValues: Readonly<Record<string, string>> = {
  "2.1/job.schema thirdparty":
    "test/media/thirdparty.test.ts: a small document becomes a source and a transcode, and passes as an ordinary job",
  "2.6.7/audio.codec_provider hybrik": "test/media/jobs/aliases.test.ts: values in their places",
};

/** Defaults that do not show when a job is read, and where they do. */
export const testedDefaults: Readonly<Record<string, string>> = {
  "2.6.7/audio.sample_size": "test/contract/commands.test.ts: of %s bits is %s",
};

/** Values of what is to come, and where it is tested that they are refused in words. */
export const comingValues: Readonly<Record<string, string>> = {};

/** Values that nobody ever sees, and why. */
export const unseenValues: Readonly<Record<string, string>> = {
  "2.5/job_info.status running": "the specification contradicts itself: running is a substatus here",
};
