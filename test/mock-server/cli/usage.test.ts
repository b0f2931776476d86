import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { COMMANDS, HELP, OVERVIEW } from '../../../mock-server/cli/help.ts';
import { command, start } from './command.ts';
import { invoke } from './invoke.ts';

describe('help', () => {
  test('the overview names every command', async () => {
    const { code, out } = await invoke(['--help']);
    expect(code).toBe(0);
    for (const name of COMMANDS) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  });

  test('no command at all is answered with the overview and exit 2', async () => {
    expect(await invoke([])).toEqual({ code: 2, out: OVERVIEW, err: '' });
  });

  test('output that nobody reads any more is no failure (it was a stack trace)', async () => {
    const help = start(['--help']);
    help.child.stdout?.destroy();
    expect(await help.ended).toBe(0);
    expect(help.stderr()).toBe('');
  });

  test.each(COMMANDS)('%s tells its usage with an example', async (name) => {
    const { code, out } = await invoke([name, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage\n  contentgen ${name}`);
    expect(out).toMatch(/Examples?\n {2}(?:export \w+=\$\()?contentgen /);
    expect((await invoke(['help', name])).out).toBe(out);
  });

  test('no line of help is wider than 110 columns', () => {
    const lines = [OVERVIEW, ...Object.values(HELP)].join('\n').split('\n');
    expect(lines.filter((line) => line.length > 110)).toEqual([]);
  });

  test('the version is the package’s', async () => {
    const { default: manifest } = await import('../../../package.json', { with: { type: 'json' } });
    expect(await invoke(['--version'])).toEqual({ code: 0, out: manifest.version, err: '' });
  });
});

describe('a wrong command line is one line and exit 2', () => {
  test.each<[string[], string | RegExp]>([
    [['serve'], "Unknown command 'serve'"],
    [['--loud'], "Unknown option '--loud'"],
    [['mock', '--loud'], "Unknown option '--loud'"],
    [['mock', 'here'], "Unexpected argument 'here'. See contentgen mock --help."],
    [['mock', '--port', 'x'], "--port must be an integer, 0 to 65535, not 'x'"],
    [['mock', '--port', '65536'], '--port must be an integer'],
    [['mock', '--port'], '--port'],
    [['mock', '--seed', '-1'], '--seed'],
    [['mock', '--quota', '1.5'], '--quota must be an integer'],
    [['mock', '--clock', 'sundial'], '--clock must be real, manual'],
    [['mock', '--log', 'loud'], '--log must be text, json, none'],
    [['mock', '--rate-limit', '5'], '--rate-limit must be N/S'],
    [['mock', '--admin-key', ''], '--admin-key has an empty value.'],
    [['keys', 'list', '--api-key='], '--api-key has an empty value.'],
    [['mock', '--rate-limit', '5/0'], '--rate-limit must be an integer, 1 to'],
    [['mock', '--rate-limit', '5/1/1'], '--rate-limit must be N/S'],
    [['mock', '--fsync'], '--fsync needs --data'],
    [['mock', '--generator-model', 'llama'], '--generator-model needs --generator-url'],
    [['mock', '--generator-url', 'nowhere'], '--generator-url must be an http or https URL'],
    [['mock', '--port', '0', '--admin-key', 'cg_test_short'], 'adminKey must have the format'],
    [['trigger'], 'EVENT is missing'],
    [['trigger', 'rain'], 'EVENT must be usage_threshold, invoice_paid'],
    [['trigger', 'invoice_paid', '--data', '[]'], '--data must be a JSON object'],
    [['trigger', 'invoice_paid', '--url', 'ftp://x'], '--url must be an http or https URL'],
    [['listen'], '--forward-to is missing'],
    [['listen', '--forward-to', 'x'], '--forward-to must be an http or https URL'],
    [['keys'], 'What to do (create, list, revoke or regenerate) is missing'],
    [['keys', 'eat'], "Unknown action 'eat'"],
    [['keys', 'constructor'], "Unknown action 'constructor'"],
    [['keys', 'revoke'], 'ID is missing'],
    [['keys', 'list', 'key_1'], "Unexpected argument 'key_1'"],
    [['audit'], 'URL is missing'],
    [['audit', 'http://localhost/'], '--secret (or CONTENTGEN_WEBHOOK_SECRET) is missing'],
    [['doctor', '--headers', 'x'], '--headers and --body belong together'],
    [['doctor', '--headers', '/none/x', '--body', '/none/y'], 'Failed to read the saved request'],
  ])('contentgen %s', async (args, message) => {
    const { code, out, err } = await invoke(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n')).toHaveLength(1);
    expect(err).toMatch(message);
    expect(err).toMatch(/See contentgen (?:\w+ )?--help\.$/);
  });

  test('a bad admin key is not repeated', async () => {
    const { err } = await invoke(['mock', '--port', '0', '--admin-key', 'cg_test_hush']);
    expect(err).not.toContain('hush');
  });

  test('a port in use is named', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    const { code, stdout, stderr } = await command(['mock', '--port', String(port)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `contentgen mock: Port ${port} is in use on 127.0.0.1. Choose another with --port. See contentgen mock --help.\n`,
    );
  });

  test('an address of another machine is named', async () => {
    const { code, stderr } = await command(['mock', '--host', '192.0.2.1', '--port', '4999']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^contentgen mock: This machine has no address 192\.0\.2\.1\..*\n$/);
  });
});

describe('a server that is not there is one line and exit 1', () => {
  test.each([
    [['trigger', 'data_updated']],
    [['keys', 'list']],
    [['listen', '--forward-to', 'http://127.0.0.1:9']],
  ])('contentgen %s', async (args) => {
    const { code, out, err } = await invoke([...args, '--url', 'http://127.0.0.1:9']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `contentgen ${args[0]}: Nothing answers at http://127.0.0.1:9. Start a server with contentgen mock, or name one with --url.`,
    );
  });
});
