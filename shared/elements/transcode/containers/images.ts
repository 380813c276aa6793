import type { Container } from "./container.ts";

const images = { muxer: "image2", isImages: true, audio: /^$/, hasTimecode: false, options: () => ({}) } as const;

export const jpg: Container = { ...images, kinds: ["jpg"], extensions: [".jpg", ".jpeg"], video: /^mjpeg$/ };

/** The specification has no name for it: a target that has PNG pictures says so by its codec or extension. */
export const pngs: Container = { ...images, kinds: [], extensions: [".png"], video: /^png$/ };
