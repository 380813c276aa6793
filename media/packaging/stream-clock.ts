/**
 * The second of a transport stream's clock at which every rendition begins. Left alone, ffmpeg moves each one by its own
 * first time stamp, which is below zero for reordered pictures and for sound with priming, so that renditions in
 * different files would not be in sync.
 */
export const streamBegin = 10;

/** What ffmpeg is to add to time stamps; it adds 1.4 s itself, for buffers of decoders. */
export const streamOffset = 8.6;
