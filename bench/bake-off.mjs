import { clients } from './bake-off/clients.mjs';
import { faults } from './bake-off/faults.mjs';
import { withServer } from './bake-off/outcome.mjs';
import { judge, verifiers } from './bake-off/webhooks.mjs';
import { writeTables } from './comparison.mjs';

const write = process.argv.includes('--write');
const chosen = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const names = Object.keys(clients).filter((name) => chosen.length === 0 || chosen.includes(name));

// A client can leave an unhandled rejection behind; it must not end the run.
process.on('unhandledRejection', () => {});
for (const name of [
  'CONTENTGEN_API_KEY',
  'CONTENTGEN_BASE_URL',
  'OPENAI_BASE_URL',
  'ANTHROPIC_BASE_URL',
])
  delete process.env[name];

const rows = [];
for (const fault of faults) {
  // Each fault runs against all clients at once: the time is spent waiting, not working.
  const cells = await Promise.all(
    names.map((name) =>
      outcomeOf(fault, clients[name]).catch((error) => `could not run: ${error.message}`),
    ),
  );
  rows.push([`${fault.title} (${fault.how})`, ...cells]);
  if (!write)
    console.error(
      `${fault.title}:\n${names.map((name, index) => `  ${name.padEnd(20)} ${cells[index]}`).join('\n')}`,
    );
}

function outcomeOf({ react, run }, client) {
  return react ? withServer(react(), (server) => run(client, server)) : run(client);
}

/** `client, client: outcome`, one line for each outcome with this mark. */
function listOutcomes(cells, mark) {
  const outcomes = new Map();
  names.forEach((name, index) => {
    const [, own = '', what] = /^(?:([✓✗]) )?(.*)$/s.exec(cells[index]);
    if (own === mark) outcomes.set(what, [...(outcomes.get(what) ?? []), name]);
  });
  return [...outcomes]
    .map(
      ([what, clients]) =>
        `${clients.map((name) => name.replace(/ [\d.]+$/, '')).join(', ')}: ${what}`,
    )
    .join('<br>');
}

const byFault = rows.map(
  ([title, ...cells]) =>
    `| ${title} | ${['✓', '✗', ''].map((mark) => listOutcomes(cells, mark)).join(' | ')} |`,
);
const score = names.map((name, index) => {
  const outcomes = rows.map((row) => row[index + 1]);
  const count = (mark) => outcomes.filter((text) => text.startsWith(mark)).length;
  return `| ${name} | ${count('✓')} | ${count('✗')} | ${outcomes.length - count('✓') - count('✗')} |`;
});
const webhookRows = await Promise.all(
  Object.entries(verifiers).map(async ([name, verify]) => `| ${name} | ${await judge(verify)} |`),
);
const text = [
  '| client | ✓ | ✗ | neither |',
  '| --- | --: | --: | --: |',
  ...score,
  '',
  '| fault | ✓ | ✗ | neither |',
  '| --- | --- | --- | --- |',
  ...byFault,
  '',
  '### A webhook signed an hour ago, and one dated an hour ahead',
  '',
  '| library | outcome |',
  '| --- | --- |',
  ...webhookRows,
].join('\n');

if (write) writeTables('bake-off', text);
else console.log(text);
process.exit();
