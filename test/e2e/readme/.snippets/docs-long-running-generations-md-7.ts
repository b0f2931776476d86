import { ContentGen, GenerationStream } from 'contentgen';

const client = new ContentGen();

async function route(request: Request): Promise<Response> {
  const { signal } = request; // canceled when the visitor leaves
  const stream = client.content.stream({ prompt: await request.text() }, { signal });
  await stream.withResponse(); // throws before the response begins
  return new Response(stream.toReadableStream(), {
    headers: { 'content-type': 'text/event-stream' },
  });
}

const request = new Request('https://app.example/', { method: 'POST', body: 'Chapter five' });
const { body } = await route(request);
const { status } = await GenerationStream.fromReadableStream(body).final();
console.log(status); // completed
