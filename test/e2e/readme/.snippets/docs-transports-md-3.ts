import { ContentGen } from 'contentgen';

const client = new ContentGen();

export default {
  fetch: (request: Request) => {
    const stream = client.content.stream({ prompt: 'A haiku' }, { signal: request.signal });
    return new Response(stream.toTextStream());
  },
};
