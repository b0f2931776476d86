import { ContentGen, type GenerationStream } from 'contentgen';
import { type Context, Hono } from 'hono';

interface Env {
  CONTENTGEN_BASE_URL: string;
  CONTENTGEN_API_KEY: string;
  /** Where `index.ts` receives the result, even if the visitor never comes back. */
  WEBHOOK_URL: string;
}
type Call = Context<{ Bindings: Env }>;

/** Streams background generations as events with ids, so that `resume-page.ts` can reload and go on. */
const app = new Hono<{ Bindings: Env }>();

const clientFor = ({ env }: Call) =>
  new ContentGen({ baseUrl: env.CONTENTGEN_BASE_URL, apiKey: env.CONTENTGEN_API_KEY });

const events = (c: Call, stream: GenerationStream) =>
  c.body(stream.toReadableStream(), 200, { 'content-type': 'text/event-stream' });

app.post('/generate', async (c) => {
  const job = await clientFor(c).content.start(
    { prompt: await c.req.text(), webhookUrl: c.env.WEBHOOK_URL },
    // The page's key: if it repeats the request, it gets the same generation.
    { idempotencyKey: c.req.header('idempotency-key') },
  );
  return events(c, job.stream());
});

// Check here that the generation belongs to the visitor.
app.get('/generate/:requestId', (c) => {
  const lastEventId = c.req.header('last-event-id');
  return events(
    c,
    clientFor(c).content.watch({ requestId: c.req.param('requestId'), lastEventId }),
  );
});

export default app;
