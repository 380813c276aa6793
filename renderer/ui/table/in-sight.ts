import { observeElementRect, type Rect, type Virtualizer } from "@tanstack/react-virtual";

/**
 * How much of something that scrolls can be in sight: never more than the window has. What has no style sheet (yet, or
 * because it could not be read) is as high as all that is in it, and all of that would be drawn.
 */
export const heightInSight = (height: number): number => Math.min(height, innerHeight);

/** Observes what scrolls, as `useVirtualizer` does by itself, within the window's height. */
export const observeInSight = <Scroller extends Element>(
  virtual: Virtualizer<Scroller, Element>,
  tell: (rect: Rect) => void,
): (() => void) | undefined =>
  observeElementRect(virtual, ({ width, height }) => tell({ width, height: heightInSight(height) }));
