/** `12 kB`, `3.4 MB`, `1.2 GB`. */
export const sizeText = (bytes: number | undefined): string => {
  if (bytes === undefined) return "size unknown";
  if (bytes < 1e6) return `${Math.ceil(bytes / 1e3)} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
};
