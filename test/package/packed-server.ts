import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  connectMock,
  type MockControl,
} from '../../mock-server/control-api/client/connect-mock.ts';
import { firstLine } from '../support/first-line.ts';
import type { Application } from './installed.ts';

/** An organization of a server, and the control calls of that server. */
export interface Service {
  readonly url: string;
  readonly organization: string;
  readonly adminKey: string;
  readonly signingSecret: string;
  readonly mock: MockControl;
}

/** Starts a server of the packed package, in the folder of the application. */
export async function startPackedServer(
  { folder }: Application,
  flags: readonly string[],
): Promise<Service & { readonly child: ChildProcess }> {
  const command = join(folder, 'node_modules/.bin/contentgen');
  const args = [command, 'mock', '--port', '0', '--json', '--log', 'none', ...flags];
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = JSON.parse(await firstLine(child)) as Omit<Service, 'mock'>;
  return { ...printed, mock: connectMock(printed.url), child };
}
