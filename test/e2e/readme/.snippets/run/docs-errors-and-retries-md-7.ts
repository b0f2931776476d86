import { ContentGen } from 'contentgen';

const client = new ContentGen({
  maxRetries: 4,
  onRetry: ({ operation, attempt, code, delayMs }) =>
    console.error(`${operation}: attempt ${attempt} failed (${code}), next in ${delayMs} ms`),
});

const page = await client.content.list({ limit: 5 }, { deadline: 10_000, maxRetries: 0 });
console.log(page.data.length); // 0
