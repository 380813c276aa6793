import { systemClock } from "../../../shared/basics/system-clock.ts";

/** Copies text; pages served over plain HTTP in a network have no clipboard API, so it falls back to the older way. */
export const copyText = async (text: string): Promise<void> => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "unseen";
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (!isCopied) throw new Error("The browser did not allow it");
};

/** Saves what an address answers under a name. */
export const downloadFrom = (url: string, name: string): void => {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
};

/** Saves text as a downloaded file. */
export const downloadText = (name: string, text: string): void => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  systemClock.after(10_000, () => URL.revokeObjectURL(link.href));
};
