import { isApiError } from 'contentgen';
import { client } from '../../service.ts';

/** Streams a generation to the page as server-sent events, which `GenerationStream.fromReadableStream` reads there. */
export async function POST(request: Request): Promise<Response> {
  const stream = client.content.stream(
    { prompt: await request.text() },
    // Cancels the generation when the visitor leaves.
    { signal: request.signal },
  );
  try {
    // Rejects if the service rejects the request, because this response has not started yet.
    await stream.withResponse();
  } catch (error) {
    if (!isApiError(error)) throw error;
    return Response.json({ code: error.code }, { status: error.status });
  }
  return new Response(stream.toReadableStream(), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
  });
}
