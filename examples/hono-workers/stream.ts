import { ContentGen } from 'contentgen';
import { Hono } from 'hono';

interface Env {
  CONTENTGEN_BASE_URL: string;
  CONTENTGEN_API_KEY: string;
}

/** Streams a generation as plain text: `curl -N --data 'A haiku about TCP' localhost:8787/generate`. */
const app = new Hono<{ Bindings: Env }>();

app.post('/generate', async (c) => {
  const client = new ContentGen({
    baseUrl: c.env.CONTENTGEN_BASE_URL,
    apiKey: c.env.CONTENTGEN_API_KEY,
  });
  const stream = client.content.stream(
    { prompt: await c.req.text() },
    { signal: c.req.raw.signal },
  );
  return c.body(stream.toTextStream(), 200, { 'content-type': 'text/plain; charset=utf-8' });
});

export default app;
