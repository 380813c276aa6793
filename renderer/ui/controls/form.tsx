import type { ReactNode } from "react";
import css from "./form.module.css";

/** Read-only values in the layout of a form. */
export const Fields = ({ children }: { readonly children: ReactNode }) => <div className={css.form}>{children}</div>;

/** Fields one below the other, with the button that sends them; Enter in a field does the same. */
export const Form = ({ onSend, children }: { readonly onSend: () => void; readonly children: ReactNode }) => (
  <form
    className={css.form}
    onSubmit={(event) => {
      event.preventDefault();
      onSend();
    }}
  >
    {children}
  </form>
);
