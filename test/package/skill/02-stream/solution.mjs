import { ContentGen } from 'contentgen';

const client = new ContentGen();
for await (const delta of client.content.stream({ prompt: process.argv[2] })) {
  process.stdout.write(delta);
}
