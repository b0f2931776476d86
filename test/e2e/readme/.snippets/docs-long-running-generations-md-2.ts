import { ContentGen, GenerationFailedError, TimeoutError } from 'contentgen';

const client = new ContentGen();
const { requestId } = await client.content.start({
  prompt: 'Chapter two',
  webhookUrl: 'https://app.example/callbacks',
});

try {
  const chapter = await client.content.resume(requestId).wait({ deadline: 60_000 });
  console.log(chapter.status, chapter.usage.totalTokens); // completed …
} catch (error) {
  if (error instanceof GenerationFailedError) console.log(error.generation.error?.code);
  else if (error instanceof TimeoutError) console.log('still running: wait again, or cancel');
  else throw error;
}
