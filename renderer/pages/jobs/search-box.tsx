import { t } from "@lingui/core/macro";
import { useNavigate } from "@tanstack/react-router";
import { SearchBox } from "../../ui/controls/search-box.tsx";
import css from "./jobs.module.css";

/** The typed text goes into the address, and leaves no step behind for the browser's Back. */
export const JobSearch = ({ text }: { readonly text: string | undefined }) => {
  const navigate = useNavigate();
  return (
    <SearchBox
      text={text}
      onSearch={(typed) =>
        void navigate({ to: "/jobs", search: (old: object) => ({ ...old, text: typed }), replace: true })
      }
      keyWord={t`Search jobs`}
      label={t`Search by name, tag, owner, id, file, error or node`}
      placeholder={t`Name, file, error, node…  ( / )`}
      className={css.search}
    />
  );
};
