/** Prints the story; in color on a terminal without NO_COLOR. */
export interface Narrator {
  title(text: string): void;
  step(text: string): void;
  sent(text: string): void;
  got(text: string): void;
  checked(text: string): void;
  fact(name: string, value: string): void;
  line(text: string): void;
  failure(error: unknown): void;
}

export function narrator(out: { isTTY?: boolean; write(text: string): unknown }): Narrator {
  const colors = out.isTTY === true && !process.env['NO_COLOR'];
  const paint = (code: number, text: string) => (colors ? `\u001b[${code}m${text}\u001b[0m` : text);
  let steps = 0;
  const print = (text = '') => void out.write(`${text}\n`);
  return {
    title: (text) => print(`\n${paint(1, text)}`),
    step: (text) => print(`\n${paint(36, `${++steps}.`)} ${paint(1, text)}`),
    sent: (text) => print(`   ${paint(2, 'sent')}    ${text}`),
    got: (text) => print(`   ${paint(2, 'got')}     ${text}`),
    checked: (text) => print(`   ${paint(32, 'check')}   ${text}`),
    fact: (name, value) => print(`   ${paint(2, name.padEnd(14))} ${value}`),
    line: (text) => print(`   ${text}`),
    failure: (error) => print(`\n${paint(31, 'The story failed:')} ${String(error)}`),
  };
}
