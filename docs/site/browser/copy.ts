/** A button at each piece of code that somebody would paste; what was done is shown and told. */
export const addCopyButtons = (): void => {
  const told = document.createElement("p");
  told.className = "unseen";
  told.setAttribute("role", "status");
  document.body.append(told);
  for (const block of document.querySelectorAll<HTMLElement>("[data-copy]")) block.append(buttonFor(block, told));
};

const shownMs = 2000;

const buttonFor = (block: HTMLElement, told: HTMLElement): HTMLButtonElement => {
  const text = block.querySelector("code")?.textContent ?? "";
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${text.split("\n")[0]?.slice(0, 60) ?? ""}`);
  button.addEventListener("click", async () => {
    const isCopied = (await copied(text)) || copiedBySelection(text);
    const words = isCopied ? "Copied" : "Not copied: select the text";
    button.textContent = words;
    told.textContent = words;
    button.focus();
    setTimeout(() => {
      button.textContent = "Copy";
      told.textContent = "";
    }, shownMs);
  });
  return button;
};

/** Browsers offer the clipboard to pages on HTTPS and of this machine only. */
const copied = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

const copiedBySelection = (text: string): boolean => {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  return isCopied;
};
