import "@fontsource-variable/inter/wght.css";
import "./tokens.css";
import "./base.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { readPagesAhead } from "./routes.tsx";
import { watchFocus } from "./ui/browser/focus-by.ts";
import { applyTheme, readTheme } from "./ui/browser/theme.ts";

applyTheme(readTheme());
watchFocus();
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
requestIdleCallback(readPagesAhead, { timeout: 5000 });
