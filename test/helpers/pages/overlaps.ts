import type { Page } from "playwright-core";

/**
 * Items of one list that lie over each other, by what of them can be seen: their own boxes, and texts that stand out of
 * them. One line each.
 */
export const overlaps = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const items = "[role=row], [role=listitem], li, tr, dt, dd, [role=log] [data-index]";
    const lists = "[role=grid], [role=list], ul, ol, table, dl, [role=log]";
    const clips = (element) => {
      const { overflowX, overflowY, contain } = getComputedStyle(element);
      return overflowX !== "visible" || overflowY !== "visible" || /strict|content|paint/.test(contain);
    };
    const common = (a, b) => ({
      left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
      right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
    });
    const window = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const inSight = new Map();
    const sightOf = (element) => {
      if (element === null) return window;
      if (!inSight.has(element)) {
        const around = sightOf(element.parentElement);
        inSight.set(element, clips(element) ? common(around, element.getBoundingClientRect()) : around);
      }
      return inSight.get(element);
    };
    const isThere = ({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1;
    const textsOf = (item) => {
      const rects = [];
      const walker = document.createTreeWalker(item, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode;
        const by = text.parentElement;
        if (text.nodeValue.trim() === "" || getComputedStyle(by).visibility === "hidden") continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const rect of range.getClientRects()) rects.push(common(rect, sightOf(by)));
      }
      return rects;
    };
    const groups = Map.groupBy(
      [...document.querySelectorAll(items)].filter((item) => item.offsetParent !== null),
      (item) => item.parentElement.closest(lists),
    );
    const found = [];
    for (const [list, members] of groups) {
      const drawn = members.map((item) => ({
        item,
        rects: [common(item.getBoundingClientRect(), sightOf(item.parentElement)), ...textsOf(item)].filter(isThere),
      }));
      drawn.forEach((a, at) => {
        for (const b of drawn.slice(at + 1)) {
          if (a.item.contains(b.item)) continue;
          const isOver = a.rects.some((one) => b.rects.some((other) => isThere(common(one, other))));
          if (isOver) {
            const name = (list?.getAttribute("aria-label") ?? list?.tagName ?? "").slice(0, 40);
            found.push(name + ": " + a.item.textContent.slice(0, 50) + " | " + b.item.textContent.slice(0, 50));
          }
        }
      });
    }
    return found;
  })()`);
