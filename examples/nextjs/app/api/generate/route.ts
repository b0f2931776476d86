import { ContentGen, isApiError } from 'contentgen';

/** Passes a generation on to the page as server-sent events; `GenerationStream.fromReadableStream` reads them there. */
export async function POST(request: Request): Promise<Response> {
  const client = new ContentGen();
  const stream = client.content.stream(
    { prompt: await request.text() },
    // Cancels the generation when the visitor leaves.
    { signal: request.signal },
  );
  try {
    // Rejects if the service refuses the request: this response has not begun yet.
    await stream.withResponse();
  } catch (error) {
    if (!isApiError(error)) throw error;
    return Response.json({ code: error.code }, { status: error.status });
  }
  return new Response(stream.toReadableStream(), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  });
}
