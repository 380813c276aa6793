import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The dashboard pages: built into renderer/dist, which the coordinator serves and Electron loads. */
export default defineConfig({
  root: "renderer",
  base: "./",
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "chrome120",
    // Nothing is inlined: the pages' policy refuses data: scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1200,
  },
});
