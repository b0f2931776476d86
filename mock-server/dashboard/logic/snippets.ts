export interface Call {
  readonly baseUrl: string;
  readonly prompt: string;
  readonly model: string;
  readonly maxTokens: number | undefined;
  readonly seed: number | undefined;
  readonly mode: 'response' | 'stream' | 'callback';
  readonly webhookUrl: string;
}

/** The request body that a call sends. */
export function requestBody(call: Call): Record<string, string | number | boolean> {
  const { prompt, model, maxTokens, seed, mode, webhookUrl } = call;
  return {
    prompt,
    ...(model && { model }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(seed !== undefined && { seed }),
    ...(mode === 'stream' && { stream: true }),
    ...(mode === 'callback' && { webhookUrl }),
  };
}

/** The call made with this package's client. */
export function typescriptSnippet(call: Call): string {
  const { stream: _, ...params } = requestBody(call);
  const fields = Object.entries(params).map(([name, value]) => `  ${name}: ${literal(value)},\n`);
  const input = `{\n${fields.join('')}}`;
  return `import { ContentGen } from 'contentgen';

const client = new ContentGen({
  baseUrl: ${literal(call.baseUrl)},
  apiKey: process.env.CONTENTGEN_API_KEY,
});

${endings[call.mode](input)}`;
}

const endings: Readonly<Record<Call['mode'], (input: string) => string>> = {
  response: (input) => `const generation = await client.content.generate(${input});
console.log(generation.result, generation.usage.totalTokens);`,
  stream: (input) => `for await (const delta of client.content.stream(${input})) {
  process.stdout.write(delta);
}`,
  callback: (input) => `const job = await client.content.generate(${input});
console.log(job.status, job.requestId);`,
};

/** The call as a curl command for a POSIX shell. */
export function curlSnippet(call: Call): string {
  const flags = call.mode === 'stream' ? ' -N' : '';
  return `curl${flags} ${quote(`${call.baseUrl}/api/ai/content/generate`)} \\
  -H "X-API-Key: $CONTENTGEN_API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d ${quote(JSON.stringify(requestBody(call)))}`;
}

function literal(value: string | number | boolean): string {
  if (typeof value !== 'string') return String(value);
  const inside = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
