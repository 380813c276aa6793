import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import css from "./drawer.module.css";

/** A sheet at the right edge, over the page without darkening it; Esc closes it. */
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
  <Base.Root open={isOpen} modal={false} onOpenChange={(open) => !open && onClose()}>
    <Base.Portal>
      <Base.Popup className={css.drawer}>
        <div className={css.header}>
          <Base.Title className={css.title}>{title}</Base.Title>
          <Button hint="Esc" look="quiet" onClick={onClose}>
            Close
          </Button>
        </div>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
