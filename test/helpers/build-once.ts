import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built command line, as a release has it. */
    herald: string;
  }
}

/** Builds the command line once for all tests that start it, from what the tree says now: never an old build. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'herald-cli-'));
  execFileSync(process.execPath, ['scripts/build.js', '--bin', folder], { stdio: 'inherit' });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  // The packages that a release installs next to it.
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  project.provide('herald', join(folder, 'cli.js'));
  return () => rmSync(folder, { recursive: true, force: true });
}
