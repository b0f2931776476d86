import { basename, join } from 'node:path';
import ts from 'typescript';

type Parse = ts.CompilerHost['getSourceFile'];

/** Declarations of the compiler and of installed packages: they don't change, and parsing them takes longest. */
const declarations = new Map<string, ReturnType<Parse>>();

/** A program of TypeScript 5, as if the folder had a `tsconfig.json` with these options and files. */
export function createProgram(
  folder: string,
  files: readonly string[],
  compilerOptions: object,
): ts.Program {
  const { options, errors, fileNames } = ts.parseJsonConfigFileContent(
    { compilerOptions: { ...compilerOptions, noEmit: true }, files },
    ts.sys,
    folder,
    undefined,
    join(folder, 'tsconfig.json'),
  );
  if (errors.length > 0) throw new Error(errors.map(messageOf).join('\n'));
  const host = ts.createCompilerHost(options);
  const parse: Parse = host.getSourceFile.bind(host);
  host.getSourceFile = (name, language, ...rest) => {
    if (fileNames.includes(name)) return parse(name, language, ...rest);
    const key = JSON.stringify([name, language]);
    if (!declarations.has(key)) declarations.set(key, parse(name, language, ...rest));
    return declarations.get(key);
  };
  return ts.createProgram(fileNames, options, host);
}

/** What is wrong in a program, except in the compiler's own libraries: checking those takes longest. */
export function faultsOf(program: ts.Program): { file: string; message: string }[] {
  const faults = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...program
      .getSourceFiles()
      .filter((file) => !program.isSourceFileDefaultLibrary(file))
      .flatMap((file) => [
        ...program.getSyntacticDiagnostics(file),
        ...program.getSemanticDiagnostics(file),
      ]),
  ];
  return faults.map((fault) => ({
    file: basename(fault.file?.fileName ?? ''),
    message: messageOf(fault),
  }));
}

const messageOf = ({ messageText }: ts.Diagnostic) =>
  ts.flattenDiagnosticMessageText(messageText, '\n');
