import { ContentGen } from 'contentgen';

const client = new ContentGen();
await client.content.resume('gen_01hzy3v5k8m2n4p6q8r0s2t4v6').wait({
  pollInterval: { min: 2_000, max: 30_000 },
  onProgress: ({ elapsedMs, nextPollMs }) => console.log(elapsedMs, nextPollMs),
});
