import { ContentGen, isApiError, isContentGenError, QuotaExceededError } from 'contentgen';

const client = new ContentGen();

try {
  await client.content.generate({ prompt: 'Hello', model: 'no-such-model' });
} catch (error) {
  if (error instanceof QuotaExceededError) console.log('quota used up until', error.resetsAt);
  else if (isApiError(error, 'generateContent', 422)) console.log(error.code); // model_not_found
  else if (isContentGenError(error)) console.log(JSON.stringify(error));
  else throw error;
}
