/** The only Redis command that redisDedupe needs, over Upstash's REST protocol. */
export function restRedis(url: string, token: string) {
  return {
    async eval(script: string, keys: readonly string[], args: readonly string[]): Promise<unknown> {
      const response = await fetch(url, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(['EVAL', script, keys.length, ...keys, ...args]),
      });
      const { result, error } = (await response.json()) as { result?: unknown; error?: string };
      if (error !== undefined) throw new Error(error);
      return result;
    },
  };
}
