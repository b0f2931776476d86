import type { TestProject } from 'vitest/node';
import { installPackage } from './installed.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** An application with the packed package installed; tests take copies of it. */
    readonly installation: string;
  }
}

/** Builds what is out of date, packs and installs it: once for all package tests. */
export function setup(project: TestProject): () => void {
  const application = installPackage();
  project.provide('installation', application.folder);
  return application.remove;
}
