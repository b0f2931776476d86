import { useQueryClient } from '@tanstack/react-query';
import type { Api } from './api.ts';

interface Props {
  readonly api: Api;
}

export function App({ api }: Props) {
  return (
    <main>
      <h1>Stories</h1>
      <Usage api={api} />
      <Ask api={api} />
      <Stories api={api} />
    </main>
  );
}

function Usage({ api }: Props) {
  const { data, error } = api.useQuery('get', '/api/usage');
  if (error) return <p role="alert">{error.code}</p>;
  if (!data) return <p>Loading…</p>;
  return (
    <p>
      <meter min={0} max={data.quota} value={data.used} aria-label="Usage" /> {data.used} of{' '}
      {data.quota} tokens
    </p>
  );
}

function Ask({ api }: Props) {
  const queries = useQueryClient();
  const { mutate, error, isPending } = api.useMutation('post', '/api/ai/content/generate', {
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const prompt = String(new FormData(event.currentTarget).get('prompt'));
        mutate({ body: { prompt, maxTokens: 100 } });
      }}
    >
      <label>
        Prompt <input name="prompt" />
      </label>
      <button type="submit" disabled={isPending}>
        Write
      </button>
      {error && <p role="alert">{error.code}</p>}
    </form>
  );
}

function Stories({ api }: Props) {
  const { data } = api.useQuery('get', '/api/ai/content/generate', {
    params: { query: { status: 'completed', limit: 10 } },
  });
  if (!data) return null;
  if (data.data.length === 0) return <p>No stories yet.</p>;
  return (
    <ul>
      {data.data.map(({ requestId, result }) => (
        <li key={requestId}>{result}</li>
      ))}
    </ul>
  );
}
