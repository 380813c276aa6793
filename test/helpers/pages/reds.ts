import type { Page } from "playwright-core";

/** What the page paints in the hue of what failed or is lost, piece by piece. */
export const redThings = (page: Page): Promise<string[]> =>
  page.evaluate(`(() => {
    const probe = document.body.appendChild(document.createElement("i"));
    const reds = ["--bad", "--bad-fill", "--bad-tint"].map((name) => {
      probe.style.color = "var(" + name + ")";
      return getComputedStyle(probe).color;
    });
    probe.remove();
    const hasText = (each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim() !== "");
    const paints = (each) => {
      const { color, backgroundColor, borderTopColor, borderTopWidth, fill, stroke } = getComputedStyle(each);
      const isShape = each instanceof SVGElement;
      return [
        backgroundColor,
        ...(borderTopWidth === "0px" ? [] : [borderTopColor]),
        ...(isShape ? [fill, stroke] : []),
        ...(isShape || hasText(each) ? [color] : []),
      ];
    };
    return [...document.querySelectorAll("body *")]
      .filter((each) => each.checkVisibility() && paints(each).some((paint) => reds.includes(paint)))
      .map((each) => each.tagName + " " + (each.textContent.trim() || each.outerHTML).slice(0, 80));
  })()`);
