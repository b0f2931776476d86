'use client';

import { GenerationStream } from 'contentgen';
import { type FormEvent, useState } from 'react';

/** A prompt, and its text while it is generated. */
export default function Page() {
  const [text, setText] = useState('');

  async function generate(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setText('');
    const body = new FormData(event.currentTarget).get('prompt');
    const response = await fetch('/api/generate', { method: 'POST', body: `${body}` });
    if (!response.ok || !response.body) return setText((await response.json()).code);
    for await (const delta of GenerationStream.fromReadableStream(response.body))
      setText((before) => before + delta);
  }

  return (
    <form onSubmit={generate}>
      <input name="prompt" aria-label="Prompt" defaultValue="A haiku about TCP" />
      <button type="submit">Generate</button>
      <pre>{text}</pre>
    </form>
  );
}
