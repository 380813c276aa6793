import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { droppedFiles } from "../data/dropped.ts";
import { useMay } from "../data/session.tsx";
import { useSay } from "../ui/overlays/toast.tsx";
import css from "./drop.module.css";

/** Files may be dropped anywhere and open the templates. The JSON page handles dropped job definitions itself. */
export const DropAnywhere = () => {
  const [isOver, setOver] = useState(false);
  const navigate = useNavigate();
  const maySubmit = useMay("operator");
  const say = useSay();
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      // It left the window, and did not just move within the page.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (!maySubmit) return say(t`A viewer cannot submit jobs.`);
      droppedFiles.drop([...(event.dataTransfer?.files ?? [])]);
      void navigate({ to: "/submit", search: {} });
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [navigate, maySubmit, say]);
  return isOver ? (
    <p className={css.over}>
      <Trans>Drop to choose what to make of it</Trans>
    </p>
  ) : null;
};
