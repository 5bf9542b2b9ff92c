import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrustedOrigins } from '../domain/ports.ts';
import { writeAtomically } from './write-atomically.ts';

/** One origin a line, in the configuration folder of the user: no repository can write there. */
export function trustedOrigins(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): TrustedOrigins {
  const folder = [env['XDG_CONFIG_HOME'], env['APPDATA']].find((one) => one !== undefined && one !== '');
  const path = join(folder ?? join(home, '.config'), 'herald', 'trusted-origins');
  return {
    path,
    list: async () => {
      const text = existsSync(path) ? await readFile(path, 'utf8') : '';
      return text.split(/\r?\n/).filter((line) => line.trim() !== '');
    },
    replace: (origins) => writeAtomically(path, origins.map((origin) => `${origin}\n`).join('')),
  };
}
