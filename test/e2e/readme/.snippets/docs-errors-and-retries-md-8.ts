import { ContentGen, type Middleware } from 'contentgen';

const timed: Middleware = async (request, next, { operation, attempt }) => {
  const start = performance.now();
  const response = await next(request);
  console.error(operation, attempt, response.status, performance.now() - start);
  return response;
};
const client = new ContentGen({
  middleware: [timed],
});

console.log((await client.usage.get()).used); // 0
