import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build as esbuild } from 'esbuild';
import { build as vite } from 'vite';

/** An application's code, bundled for browsers as its author would. */
export interface Bundle {
  /** What the page loads at once. */
  readonly entry: string;
  /** The same, minified and compressed, in bytes. */
  readonly gzipped: number;
  /** All of it, the file that the page starts with first. */
  readonly files: readonly BundledFile[];
}

interface BundledFile {
  /** Its path in the folder of the bundle. */
  readonly name: string;
  readonly text: string;
  readonly atOnce: boolean;
}

export type Bundler = (folder: string, file: string) => Promise<Bundle>;

export const bundlers: Readonly<Record<'esbuild' | 'vite', Bundler>> = {
  async esbuild(folder, file) {
    const { outputFiles, metafile } = await esbuild({
      absWorkingDir: folder,
      entryPoints: [file],
      outdir: 'out',
      bundle: true,
      splitting: true,
      minify: true,
      metafile: true,
      format: 'esm',
      platform: 'browser',
      write: false,
      logLevel: 'silent',
    });
    const outputs = Object.entries(metafile.outputs);
    const [start = ''] = outputs.find(([, output]) => output.entryPoint) ?? [];
    const statics = new Set([start]);
    for (const path of statics) {
      for (const { kind, path: next } of metafile.outputs[path]?.imports ?? []) {
        if (kind === 'import-statement') statics.add(next);
      }
    }
    const files = outputFiles.map(({ path, text }) => {
      const name = relative(folder, path);
      return {
        name: relative('out', name),
        text,
        atOnce: statics.has(name),
        first: name === start,
      };
    });
    return split(files);
  },

  async vite(folder, file) {
    const result = await vite({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        target: 'es2022',
        modulePreload: false,
        rolldownOptions: { input: join(folder, file), preserveEntrySignatures: 'strict' },
      },
    });
    const chunks = [result].flat().flatMap((output) => ('output' in output ? output.output : []));
    const code = chunks.filter((chunk) => chunk.type === 'chunk');
    const statics = new Set(code.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName));
    for (const name of statics) {
      for (const next of code.find(({ fileName }) => fileName === name)?.imports ?? []) {
        statics.add(next);
      }
    }
    const files = code.map(({ fileName, code, isEntry }) => {
      return { name: fileName, text: code, atOnce: statics.has(fileName), first: isEntry };
    });
    return split(files);
  },
};

function split(files: readonly (BundledFile & { readonly first: boolean })[]): Bundle {
  const entry = files
    .filter(({ atOnce }) => atOnce)
    .map(({ text }) => text)
    .join('\n');
  const ordered = [...files].sort((a, b) => Number(b.first) - Number(a.first));
  return { entry, gzipped: gzipSync(entry).length, files: ordered };
}
