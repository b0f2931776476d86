import { ConnectionError } from '../errors.ts';

/** A part that loads with its first use. It may be gone, for instance when a page outlives a deployment of its site. */
export async function loaded<Module>(part: Promise<Module>): Promise<Module> {
  try {
    return await part;
  } catch (cause) {
    throw new ConnectionError('Failed to load a part of the client: load the application anew.', {
      code: 'connection_failed',
      cause,
    });
  }
}
