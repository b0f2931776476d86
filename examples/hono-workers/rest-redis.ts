/** The one command that is needed, over the REST protocol of Upstash. */
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
