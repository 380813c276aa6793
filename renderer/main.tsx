import "@fontsource-variable/inter/wght.css";
import "./tokens.css";
import "./base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { readPagesAhead } from "./routes.tsx";
import { watchFocus } from "./ui/browser/focus-by.ts";
import { applyTheme, readTheme } from "./ui/browser/theme.ts";

/** By then the first page shows what it is about, on all but the slowest machines. */
const shownMs = 4000;

applyTheme(readTheme());
watchFocus();
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
// The page that somebody waits for comes first: the others are several times its size.
setTimeout(() => requestIdleCallback(readPagesAhead, { timeout: 5000 }), shownMs);
