/** `01:02:03,004`, `02:03.004` -> milliseconds; undefined for other text. */
export const readClock = (text: string): number | undefined => {
  const found = /^(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?$/.exec(text);
  if (!found) return undefined;
  const [, hours = "0", minutes = "0", seconds = "0", fraction = "0"] = found;
  const whole = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds);
  return whole * 1000 + Math.round(Number(`0.${fraction}`) * 1000);
};

/** `01:02:03` and the thousandths behind the mark. */
export const printClock = (milliseconds: number, mark: "," | "."): string => {
  const seconds = Math.floor(milliseconds / 1000);
  const fields = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const clock = fields.map((field) => String(field).padStart(2, "0")).join(":");
  return `${clock}${mark}${String(milliseconds % 1000).padStart(3, "0")}`;
};
