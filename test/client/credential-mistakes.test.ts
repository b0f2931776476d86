import { describe, expect, test, vi } from 'vitest';
import { good, make, withoutEnvironment } from './support/options.ts';
import { scriptedService } from './support/service.ts';

withoutEnvironment();

describe('a value that cannot be an API key', () => {
  const key = 'cg_test_0El6XFXwsUFD8J2vGxsaboW7rZYnQRBP5d9erwRwd294RQjyC';
  const mistakes: [name: string, key: string, sentence: string][] = [
    ['ends with a line break', `${key}\n`, 'begins or ends with white space'],
    ['begins with a space', ` ${key}`, 'begins or ends with white space'],
    ['is broken over two lines', `${key.slice(0, 20)}\n${key.slice(20)}`, 'contains white space'],
    ['is an Authorization header', `Bearer ${key}`, 'starts with Bearer'],
    ['is in double quotes', `"${key}"`, 'is in quotes'],
    ['is in single quotes', `'${key}'`, 'is in quotes'],
    ['is a line of a .env file', `CONTENTGEN_API_KEY=${key}`, 'is a line of a .env file'],
    ['is a signing secret', `whsec_${'A'.repeat(43)}=`, 'is a webhook signing secret'],
    ['is the placeholder of the docs', 'cg_test_…', 'is a placeholder'],
    ['is another placeholder', '<your key>', 'is a placeholder'],
    ['is a placeholder in capitals', 'YOUR_API_KEY', 'is a placeholder'],
    ['is to be changed', 'changeme', 'is a placeholder'],
    ['is the text undefined', `${undefined}`, 'is the text undefined'],
    ['is only white space', ' ', 'is empty'],
    [
      'has a letter that a header cannot carry',
      'cg_test_ключ',
      'contains a character that is not visible ASCII',
    ],
    ['is a file', 'a'.repeat(20_000), 'has more than 16384 characters'],
  ];

  test.each(mistakes)('%s: is reported before anything is sent', async (_, apiKey, sentence) => {
    const create = () => make({ ...good, apiKey });
    expect(create).toThrow(`apiKey ${sentence}`);
    const { fetch } = scriptedService();
    const { error } = await make({ ...good, apiKey: () => apiKey, fetch })
      .usage.get()
      .safe();
    expect(error).toMatchObject({ code: 'credential_unavailable' });
    expect(error?.message).toContain(`function returned a value that ${sentence}`);
    if (apiKey.length > 10) {
      expect(create).not.toThrow(apiKey.trim());
      expect(error?.message).not.toContain(apiKey.trim());
    }
    // Variables are trimmed, because files and secret stores often add a line break.
    if (apiKey !== apiKey.trim()) return;
    vi.stubEnv('CONTENTGEN_API_KEY', apiKey);
    const call = make({ baseUrl: good.baseUrl }).usage.get();
    await expect(call).rejects.toThrow(`CONTENTGEN_API_KEY ${sentence}`);
  });
});
