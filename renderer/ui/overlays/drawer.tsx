import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { useTablet } from "../browser/use-narrow.ts";
import { Button } from "../controls/button.tsx";
import css from "./drawer.module.css";
import { Floating } from "./floating.tsx";

/**
 * A sheet at the right edge, over the page without darkening it; Esc closes it. Where it lies over the whole page, the
 * focus stays in it: behind it, nobody would see it.
 */
export const Drawer = ({
  title,
  isOpen,
  onClose,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => (
  <Floating
    title={title}
    isOpen={isOpen}
    onClose={onClose}
    look={css}
    isModal={useTablet()}
    aid={
      <Button hint="Esc" look="quiet" onClick={onClose}>
        <Trans>Close</Trans>
      </Button>
    }
  >
    {children}
  </Floating>
);
