import type { Middleware } from 'contentgen';

const trace: Middleware = async (request, next, { attempt }) => {
  request.headers.set('x-attempt', `${attempt}`);
  return next(request);
};
