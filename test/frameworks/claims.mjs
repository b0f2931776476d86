/** Runs claims one after another; each is `[name, run]`, and one that throws has failed. */
export async function check(claims) {
  const failures = [];
  for (const [name, run] of claims) {
    try {
      await run();
    } catch (error) {
      failures.push({ name, error: String(error?.stack ?? error) });
    }
  }
  return { claims: claims.length, failures };
}

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A receiver at `url` verifies, handles each delivery once, rejects forged ones and accepts nearly the longest result. */
export async function expectReceiver({ deliver, sampleEvent }, url) {
  const event = sampleEvent('generation_completed');
  // A development server compiles on a busy machine; how long that takes is not the claim.
  const options = { secret, timeoutMs: 120_000 };
  const twice = await deliver(url, event, { ...options, duplicates: 1 });
  const bodies = twice.attempts.map(({ status, body }) => `${status} ${body}`);
  const expected = ['200 {"status":"processed"}', '200 {"status":"duplicate"}'];
  if (String(bodies) !== String(expected)) throw new Error(`Got ${bodies.join(', ')}.`);
  const forged = await deliver(url, event, { ...options, tamper: 'body' });
  const [{ status, body }] = forged.attempts;
  if (status !== 400 || body !== '{"code":"signature_mismatch"}')
    throw new Error(`A forged delivery got ${status} ${body}.`);
  const long = sampleEvent('generation_completed', { result: 'x'.repeat(900_000) });
  const [accepted] = (await deliver(url, long, options)).attempts;
  if (accepted.status !== 200)
    throw new Error(`A delivery of 900 kB got ${accepted.status} ${accepted.body}.`);
}
