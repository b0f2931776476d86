import { createServer } from 'node:http';

/** The page knows where the service is, and has the access token of the user who signed in. */
const page = `<!doctype html>
<title>Stories</title>
<form><label>About <input name="about" /></label> <button>Write</button></form>
<p role="status"></p>
<script type="module">
  const status = document.querySelector('[role=status]');

  async function write(about, idempotencyKey = crypto.randomUUID()) {
    const response = await fetch('https://api.contentgen.test/api/ai/content/generate', {
      method: 'POST',
      headers: {
        authorization: 'Bearer ' + sessionStorage.getItem('token'),
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify({ prompt: 'A story about ' + about }),
    });
    const body = await response.json();
    if (response.ok) return body.result;
    if (body.code === 'quota_exceeded') return 'No more stories this month.';
    if (response.status !== 503) return 'Sorry: ' + body.detail;
    status.textContent = 'The service is busy. One moment…';
    await new Promise((resolve) => setTimeout(resolve, 1000 * response.headers.get('retry-after')));
    return write(about, idempotencyKey);
  }

  document.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    status.textContent = 'Writing…';
    status.textContent = await write(new FormData(event.target).get('about'));
  });
</script>`;

const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8').end(page);
});
server.listen(Number(process.env['APP_PORT'] ?? 4610), '127.0.0.1');
