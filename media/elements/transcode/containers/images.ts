import { type Container, nothing } from "./container.ts";

const images = { muxer: "image2", isImages: true, audio: nothing } as const;

export const jpg: Container = { ...images, kinds: ["jpg"], extensions: [".jpg", ".jpeg"], video: /^mjpeg$/ };

export const j2k: Container = { ...images, kinds: ["j2k"], extensions: [".j2k", ".j2c", ".jp2"], video: /^jpeg2000$/ };

/** The specification has no name for it: a target that has PNG pictures says so by its codec or extension. */
export const pngs: Container = { ...images, kinds: [], extensions: [".png"], video: /^png$/ };
