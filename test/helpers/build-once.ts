import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The built command line, as a release has it. */
    herald: string;
  }
}

/** Builds the command line once for all tests that start it, from what the tree says now: never an old build. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(process.cwd(), 'node_modules', '.herald-cli-'));
  execFileSync(process.execPath, ['scripts/build.js', '--bin', folder], { stdio: 'inherit' });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  project.provide('herald', join(folder, 'cli.js'));
  return () => rmSync(folder, { recursive: true, force: true });
}
