import type { MockServer } from 'contentgen/mock';

export const pieces = ['Packets ', 'cross ', 'the ', '🌊 ', 'sea\n', 'by night.'];
/** The text that the model of `setUp` generates, one piece in each turn. */
export const whole = pieces.join('');
export const generator = async function* () {
  for (const piece of pieces) {
    await new Promise((resolve) => setTimeout(resolve, 0));
    yield piece;
  }
};

export async function read(stream: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += piece;
  return text;
}

const count = (mock: MockServer, of: string) =>
  mock.events().filter(({ type }) => type === of).length;

/** How many generations have been started. */
export const begun = (mock: MockServer) => count(mock, 'generation.accepted');

/** How many generations have been completed, and so billed. */
export const ended = (mock: MockServer) => count(mock, 'generation.completed');
