import { t } from "@lingui/core/macro";
import { useNavigate } from "@tanstack/react-router";
import { SearchBox } from "../../ui/controls/search-box.tsx";
import css from "./nodes.module.css";

/** The typed text goes into the address, and leaves no step behind for the browser's Back. */
export const NodeSearch = ({ text }: { readonly text: string | undefined }) => {
  const navigate = useNavigate();
  return (
    <SearchBox
      text={text}
      onSearch={(typed) =>
        void navigate({ to: "/nodes", search: (old: object) => ({ ...old, text: typed }), replace: true })
      }
      keyWord={t`Search nodes`}
      label={t`Search by name, tag, program, version, machine or person`}
      placeholder={t`Name, tag, program, version  ( / )`}
      className={css.search}
    />
  );
};
