import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../../mock-server/cli/commands.ts';
import { parseCommandLine } from '../../../mock-server/cli/parse-command-line.ts';
import { createMockServer } from '../../../mock-server/index.ts';
import { ContentGen } from '../../../src/index.ts';
import { listen } from '../../support/sockets.ts';
import { start } from './command.ts';
import { invoke } from './invoke.ts';

const commandNames = Object.keys(COMMANDS);
const keyFile = fileURLToPath(new URL('../outbound/tls/key.pem', import.meta.url));

describe('help', () => {
  test('the overview names every command; without a command it is printed with exit code 2', async () => {
    const { code, out } = await invoke(['--help']);
    expect(code).toBe(0);
    for (const name of commandNames) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
    expect(await invoke([])).toEqual({ code: 2, out, err: '' });
  });

  test('a closed standard output is not a failure', async () => {
    const help = start(['--help']);
    help.child.stdout?.destroy();
    expect(await help.ended).toBe(0);
    expect(help.stderr()).toBe('');
  });

  test.each(commandNames)(
    '%s shows its usage with an example, on at most 110 columns',
    async (name) => {
      const { code, out } = await invoke([name, '--help']);
      expect(code).toBe(0);
      expect(out).toContain(`Usage\n  contentgen ${name}`);
      expect(out).toMatch(/Examples?\n {2}(?:export \w+=\$\()?contentgen /);
      expect((await invoke(['help', name])).out).toBe(out);
      expect(out.split('\n').filter((line) => line.length > 110)).toEqual([]);
    },
  );

  test('mock --help shows the defaults that a server has', async () => {
    const { out } = await invoke(['mock', '--help']);
    const shown = (flag: string) => new RegExp(`--${flag} .*\\[(.*)\\]$`, 'm').exec(out)?.[1];
    const mock = createMockServer({ clock: 'manual' });
    onTestFinished(() => mock.close());
    const { quota } = await new ContentGen(mock.clientOptions).usage.get();
    expect(shown('quota')).toBe(String(quota));
    expect(await invoke(['doctor', '--help'])).toMatchObject({
      out: expect.stringContaining(`[http://${shown('host')}:${shown('port')}]`),
    });
  });

  test('the version is the package’s', async () => {
    const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
    expect(await invoke(['--version'])).toEqual({ code: 0, out: manifest.version, err: '' });
  });
});

describe('a wrong command line prints one line and exits with 2', () => {
  test.each<[string[], string | RegExp]>([
    [['serve'], "Unknown command 'serve'"],
    [['triger'], "Unknown command 'triger'. Did you mean 'trigger'?"],
    [['mock', '--prot', '1'], "Unknown option '--prot'. Did you mean '--port'?"],
    [['mock', '--xyzzy'], /Unknown option '--xyzzy'\. See/],
    [
      ['mock', '--host', '999.1.1.1'],
      "--host must be an IP address or a host name, not '999.1.1.1'.",
    ],
    [['doctor', '--base-url', 'http://x'], "Did you mean '--url'?"],
    [['conform', '--url', 'http://x'], "Did you mean '--base-url' or '--receiver-url'?"],
    [['mock', 'here'], "Unexpected argument 'here'. See contentgen mock --help."],
    [['mock', '--port', 'x'], "--port must be an integer from 0 to 65535, not 'x'"],
    [['mock', '--port'], '--port needs a value: --port N.'],
    [['mock', '--data', '--json'], "--data needs a value, but '--json' follows."],
    [['mock', '--clock', 'sundial'], '--clock must be one of real, manual'],
    [['mock', '--rate-limit', '5'], '--rate-limit must be N/S'],
    [['mock', '--admin-key', ''], '--admin-key is empty. Give it a value or leave it out.'],
    [['mock', '--retention', '7d'], '--retention '],
    [['mock', '--ca', '/nowhere/ca.pem'], '(ENOENT)'],
    [['mock', '--ca', keyFile], 'BEGIN CERTIFICATE'],
    [['mock', '--port', '0', '--admin-key', 'cg_test_short'], 'adminKey must be an API key'],
    [['trigger'], 'EVENT is missing'],
    [['trigger', 'invoice_paid', '--data', '[]'], '--data must be a JSON object'],
    [['trigger', 'invoice_paid', '--url', 'ftp://x'], '--url must be an http or https URL'],
    [['keys'], 'The action (create, list, revoke, regenerate, token) is missing'],
    [['trigger', 'data_updated', '--control-token', 'short'], '16 visible'],
    [['audit'], 'URL is missing'],
    [['audit', 'http://localhost/'], '--secret (or CONTENTGEN_WEBHOOK_SECRET) is missing'],
    [['doctor', '--headers', 'x'], '--headers and --body must be given together'],
    [['doctor', '--headers', '/none/x', '--body', '/none/y'], 'Failed to read the saved request'],
  ])('contentgen %s', async (args, message) => {
    const { code, out, err } = await invoke(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n')).toHaveLength(1);
    expect(err).toMatch(message);
    expect(err).toMatch(/See contentgen (?:\w+ )?--help\.$/);
  });

  test('an invalid admin key is not printed', async () => {
    const { err } = await invoke(['mock', '--port', '0', '--admin-key', 'cg_test_hush']);
    expect(err).not.toContain('hush');
  });

  test('the error for a port in use, or for an address of another machine, names it', async () => {
    const port = await listen(createServer());
    for (const [host, given, message] of [
      ['127.0.0.1', port, `Port ${port} is in use on 127.0.0.1. Choose another with --port.`],
      ['192.0.2.1', 4999, 'This machine has no address 192.0.2.1.'],
    ]) {
      const { code, out, err } = await invoke(['mock', '--host', `${host}`, '--port', `${given}`]);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(`contentgen mock: ${message}`);
      expect(err.split('\n')).toHaveLength(1);
    }
  });

  test.each([
    ['--host', '0', { host: '0.0.0.0' }],
    ['--host', '127.1', { host: '127.0.0.1' }],
    ['--host', '[::1]', { host: '::1' }],
  ])('%s %s means %j', async (flag, given, meant) => {
    const { flags } = await COMMANDS.mock.load();
    expect(parseCommandLine([flag, given], { flags }, {}).flags).toMatchObject(meant);
  });
});

test.each([[['trigger', 'data_updated']], [['keys', 'list']]])(
  'contentgen %s at an unreachable server prints one line and exits with 1',
  async (args) => {
    expect(await invoke([...args, '--url', 'http://127.0.0.1:9'])).toEqual({
      code: 1,
      out: '',
      err: `contentgen ${args[0]}: Failed to connect to http://127.0.0.1:9. Start a server with contentgen mock, or pass its URL with --url.`,
    });
  },
);
