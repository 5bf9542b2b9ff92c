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
      try {
        return (await readFile(path, 'utf8')).split(/\r?\n/).filter((line) => line.trim() !== '');
      } catch (error) {
        if ((error as { code?: string }).code === 'ENOENT') return [];
        throw error;
      }
    },
    replace: (origins) => writeAtomically(path, origins.map((origin) => `${origin}\n`).join('')),
  };
}
