import { ContentGen, isContentGenError } from 'contentgen';

const client = new ContentGen();
const job = await client.content.start({ prompt: 'a novel', webhookUrl: process.argv[2] });
console.log(job.requestId);
try {
  await job.wait({ deadline: 2000 });
  console.log('done');
} catch (error) {
  if (!isContentGenError(error) || error.code !== 'deadline_exceeded') throw error;
  console.log('still running');
}
