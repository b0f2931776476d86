// Self-contained: pages load the text of this file as a script.
const TAP = Symbol.for('contentgen.tests.responseTap');
const isText = (headers) => /json|event-stream/.test(headers['content-type'] ?? '');

/**
 * Calls `write` with a record of every response of the mocks created from now on: the head at once, with the body if it
 * is complete, and each chunk of a stream as it passes. Responses are neither delayed nor changed.
 */
export function installResponseTap(write) {
  if (globalThis[TAP]) return;
  let last = 0;
  const record = (facts, body, { status, headers }) => {
    last += 1;
    const id = last;
    if (body instanceof ReadableStream) {
      write({ id, ...facts, status, headers, stream: true });
      return notedStream(body, (more) => write({ id, ...more }));
    }
    const text = body === null || isText(headers) ? (body ?? '') : undefined;
    write({ id, ...facts, status, headers, body: text });
    return body;
  };
  // Fetch, MSW and the socket all go through the mock's `handle`.
  globalThis[TAP] = (mock) => {
    const handle = mock.handle;
    mock.handle = (request, make = (body, init) => new Response(body, init)) => {
      const facts = factsOf(mock, request);
      return handle(request, (body, init) => make(record(facts, body, init), init));
    };
    return mock;
  };
}

/** What is known of the request: its operation, and the effects of the faults that could apply to it. */
function factsOf(mock, { method, url }) {
  const { pathname } = new URL(url);
  const operation = operationOf(mock, method, pathname);
  // A process that stands by injects no faults.
  const faults = mock.leadership?.leading === false ? [] : mock.faults.list();
  const effects = faults
    .filter((fault) => operation && (fault.operation === operation || fault.operation === '*'))
    .map(({ effect }) => effect);
  return { method, path: pathname, operation, ...(effects.length > 0 && { effects }) };
}

function operationOf({ baseUrl, routes }, method, pathname) {
  const base = new URL(baseUrl).pathname.replace(/\/+$/, '').replace(/\/v2$/, '');
  const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname;
  const matching = routes.filter((route) => matches(route.path.split('/'), path.split('/')));
  const literal = matching.filter((route) => route.path === path);
  const wanted = method === 'HEAD' ? 'GET' : method;
  return (literal.length > 0 ? literal : matching).find((route) => route.method === wanted)
    ?.operation;
}

const matches = (pattern, segments) =>
  pattern.length === segments.length &&
  pattern.every((part, at) => (part.startsWith(':') ? segments[at] !== '' : part === segments[at]));

/** The same stream; `note` is called with each chunk as it passes. It reads from its source only on demand. */
function notedStream(body, note) {
  const reader = body.getReader();
  const text = new TextDecoder();
  let canceled = false;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        // Canceling ends the pending read too.
        if (canceled) return;
        if (done) {
          note({ end: true });
          controller.close();
          return;
        }
        note({ chunk: text.decode(value, { stream: true }) });
        controller.enqueue(value);
      },
      cancel(reason) {
        canceled = true;
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
