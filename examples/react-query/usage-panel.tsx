import type { Api } from './api.ts';

/** The organization's usage and quota, kept up to date by TanStack Query. */
export function UsagePanel({ api }: { readonly api: Api }) {
  const { data, error, isPending } = api.useQuery('get', '/api/usage');
  if (isPending) return <p>Loading…</p>;
  if (error) return <p role="alert">{error.code}</p>;
  return (
    <p>
      {data.used} of {data.quota} tokens
    </p>
  );
}
