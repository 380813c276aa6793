import { I18nProvider } from "@lingui/react";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { AppError } from "../shared/basics/errors.ts";
import { i18n } from "./language/index.ts";
import { router } from "./routes.tsx";
import { Keys } from "./ui/controls/keys.tsx";
import { Toasts } from "./ui/overlays/toast.tsx";
import { FullTexts } from "./ui/text/full-text.tsx";

/** Events keep answers fresh, so nothing is asked again for its age; only a coordinator that is away is tried again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      networkMode: "always",
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (failures, problem) => failures < 2 && problem instanceof AppError && problem.code === "UNAVAILABLE",
    },
    mutations: { networkMode: "always" },
  },
});

export const App = () => (
  <I18nProvider i18n={i18n}>
    <QueryClientProvider client={queries}>
      <Keys>
        <Toasts>
          <RouterProvider router={router} />
          <FullTexts />
        </Toasts>
      </Keys>
    </QueryClientProvider>
  </I18nProvider>
);
