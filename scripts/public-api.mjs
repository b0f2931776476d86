import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { clientEntries, mockEntries, outputName } from './entries.ts';

// Writes an API Extractor report for each entry, from the built declarations, to docs/public-api, so that every change
// of the public API appears in a diff. What is generated from openapi.yaml is left out: its diff is the contract's. Run `npm run build` first. `npm run check:package` compares the reports.
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs/public-api');
const cache = join(root, 'node_modules/.cache/contentgen-api');
const names = Object.keys({ ...clientEntries, ...mockEntries })
  .map(outputName)
  .filter((name) => name !== 'schemas');
const declarations = names.map((name) => join(root, 'dist', `${name}.d.ts`));

/** The names of the reports in docs/public-api that are missing, superfluous or out of date. */
export function changedReports() {
  const reports = publicApi();
  const known = existsSync(folder) ? readdirSync(folder) : [];
  return [...new Set([...reports.keys(), ...known])].filter((file) => {
    const path = join(folder, file);
    return !existsSync(path) || readFileSync(path, 'utf8') !== reports.get(file);
  });
}

/** File name of each report, and its text. */
function publicApi() {
  if (!declarations.every(existsSync)) {
    throw new Error('Failed to read the built declarations. Run npm run build first.');
  }
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  const configs = names.map(configOf);
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints: declarations });
  return new Map(
    configs.map((config, i) => {
      Extractor.invoke(config, { compilerState, localBuild: true, messageCallback: silence });
      const text = readFileSync(config.reportFilePath, 'utf8');
      return [fileName(names[i]), writtenByHand(text)];
    }),
  );
}

function configOf(name, i) {
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: ['node'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    skipLibCheck: true,
  };
  return ExtractorConfig.prepare({
    configObjectFullPath: join(root, 'api-extractor.json'),
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: declarations[i],
      compiler: { overrideTsconfig: { compilerOptions, files: declarations } },
      apiReport: {
        enabled: true,
        reportFileName: fileName(name),
        reportFolder: cache,
        reportTempFolder: join(cache, 'temp'),
      },
      newlineKind: 'lf',
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'none' } },
        tsdocMessageReporting: { default: { logLevel: 'none' } },
        extractorMessageReporting: {
          default: { logLevel: 'none' },
          'ae-forgotten-export': { logLevel: 'warning', addToApiReportFile: true },
        },
      },
    },
  });
}

/** Removes generated types, and positions, because they name built files, whose names contain hashes. */
function writtenByHand(report) {
  return report
    .replace(
      /^(?:\/\/ .*\n)*export interface (?:paths|components|operations|webhooks) \{\n(?:.*\n)*?\}\n\n/gm,
      '',
    )
    .replace(/^\/\/ dist\/\S+:\d+:\d+ - /gm, '// ');
}

function fileName(name) {
  return `${name.replaceAll('/', '-')}.api.md`;
}

function silence(message) {
  message.handled = true;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of publicApi()) writeFileSync(join(folder, name), text);
}
