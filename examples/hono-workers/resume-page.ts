import { GenerationStream, type StreamPosition } from 'contentgen';

interface Saved extends Partial<StreamPosition> {
  readonly key: string;
  readonly text: string;
}

/** Shows the text of a generation. After a reload, it goes on where it was. */
export async function show(prompt: string, output: Element): Promise<void> {
  const saved: Saved = JSON.parse(
    sessionStorage.getItem('generation') ?? JSON.stringify({ key: crypto.randomUUID(), text: '' }),
  );
  const save = (more: object) =>
    sessionStorage.setItem('generation', JSON.stringify({ ...saved, ...more }));
  save({});
  output.textContent = saved.text;
  const { body } = await (saved.requestId === undefined ? begin(prompt, saved) : resume(saved));
  const stream = GenerationStream.fromReadableStream(body);
  for await (const piece of stream) {
    output.textContent += piece;
    save({ ...stream.toJSON(), text: output.textContent });
  }
}

const begin = (prompt: string, { key }: Saved) =>
  fetch('/generate', { method: 'POST', body: prompt, headers: { 'idempotency-key': key } });

const resume = ({ requestId, lastEventId }: Saved) =>
  fetch(`/generate/${requestId}`, {
    headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  });
