import "@fontsource-variable/inter/wght.css";
import "./tokens.css";
import "./base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { systemClock } from "../shared/basics/system-clock.ts";
import { App, queries } from "./app.tsx";
import { pagesAhead, router } from "./routes.tsx";
import { watchStyleSheets } from "./shell/parts.ts";
import { readAhead, savesData, watchIdleTime } from "./shell/read-ahead.ts";
import { watchFocus } from "./ui/browser/focus-by.ts";
import { applyTheme, readTheme } from "./ui/browser/theme.ts";

applyTheme(readTheme());
watchFocus();
watchStyleSheets();
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
void readAhead({
  isReading: () => router.state.status === "pending" || queries.isFetching() > 0,
  parts: pagesAhead,
  idle: watchIdleTime(systemClock),
  savesData: savesData(),
  clock: systemClock,
});
