import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

let built: string | null = null;

/** The command line as it is released, built once for each run of the bench from what the tree says now. */
export function heraldScript(): string {
  if (built !== null) return built;
  // Where the package with its own binary is found.
  const folder = mkdtempSync(resolve('node_modules', '.herald-cli-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  execFileSync(process.execPath, ['scripts/build.js', '--bin', folder], { stdio: 'inherit' });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  built = join(folder, 'cli.js');
  return built;
}
