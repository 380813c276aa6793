import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";

type Props = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Class names of the sheet, its title, and its backdrop if it has one. */
  readonly look: {
    readonly popup?: string;
    readonly title?: string;
    readonly header?: string;
    readonly backdrop?: string;
  };
  /** Whether the page behind it waits until it is closed: usual if there is a backdrop. */
  readonly isModal?: boolean;
  /** Shown beside the title. */
  readonly aid?: ReactNode;
  readonly children: ReactNode;
};

/** A titled sheet over the page; Esc closes it and the focus returns to where it was. */
export const Floating = ({
  title,
  isOpen,
  onClose,
  look,
  isModal = look.backdrop !== undefined,
  aid,
  children,
}: Props) => (
  <Base.Root open={isOpen} modal={isModal} onOpenChange={(open) => !open && onClose()}>
    <Base.Portal>
      {look.backdrop !== undefined && <Base.Backdrop className={look.backdrop} />}
      <Base.Popup className={look.popup}>
        <div className={look.header}>
          <Base.Title className={look.title} dir="auto">
            {title}
          </Base.Title>
          {aid}
        </div>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
);
