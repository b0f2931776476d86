import { ContentGen, type Middleware } from 'contentgen';

const pass: Middleware = (request, next) => next(request);
const timed: Middleware = Object.assign(pass, {
  onCall: ({ operation }: { operation: string | undefined }) => {
    const start = performance.now();
    return () => console.log(operation, performance.now() - start);
  },
});
const client = new ContentGen({ middleware: [timed] });
