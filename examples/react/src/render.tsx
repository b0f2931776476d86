import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ContentGen } from 'contentgen';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createApi } from './api.ts';
import { App } from './app.tsx';

/** Renders the application and returns a function that unmounts it. */
export function render(element: Element, client: ContentGen): () => void {
  const root = createRoot(element);
  // The client already retries, and only what is safe to retry.
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  root.render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <App api={createApi(client)} />
      </QueryClientProvider>
    </StrictMode>,
  );
  return () => root.unmount();
}
