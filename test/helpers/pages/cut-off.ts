import type { Page } from "playwright-core";

/** What says something to press or read and is cut off without an ellipsis that would tell of it. */
export const cutOff = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll("button, a, label, h1, h2, h3, dt, summary, [role=columnheader]")]
    .filter((each) => {
      const { overflowX, textOverflow } = getComputedStyle(each);
      const isHidden = (part) => part !== null && (getComputedStyle(part).clipPath !== "none" || isHidden(part.parentElement));
      const isSeen = each.offsetParent !== null && each.clientWidth > 2 && !isHidden(each);
      return isSeen && overflowX !== "visible" && textOverflow !== "ellipsis" && each.scrollWidth > each.clientWidth + 1;
    })
    .map((each) => each.tagName + ": " + each.textContent.slice(0, 80))`);
