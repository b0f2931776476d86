import { ContentGen } from 'contentgen';

const stream = new ContentGen().content.stream({ prompt: 'A haiku about TCP' });
await stream.withResponse(); // throws before the response begins
new Response(stream.toReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
