import { AuthenticationError, ContentGen, QuotaExceededError, ValidationError } from 'contentgen';

const client = new ContentGen();
try {
  const { result } = await client.content.generate({ prompt: process.argv[2] });
  console.log(result);
} catch (error) {
  if (error instanceof ValidationError) {
    console.log(error.errors[0]?.pointer);
    process.exitCode = 3;
  } else if (error instanceof QuotaExceededError) {
    console.log(error.resetsAt?.toISOString());
    process.exitCode = 4;
  } else if (error instanceof AuthenticationError) {
    process.exitCode = 5;
  } else throw error;
}
