import { join } from 'node:path';
import { configurationFolder } from './trusted-origins.ts';

/** Where views of ledgers are kept, and the key that they are signed with. No repository can write there. */
export interface ViewPlaces {
  readonly folder: string;
  readonly key: string;
}

/** The folders of the user for what can be made again, and for settings. */
export function viewPlaces(env: Readonly<Record<string, string | undefined>>, home: string): ViewPlaces {
  const cache = env['XDG_CACHE_HOME'] ?? env['LOCALAPPDATA'] ?? '';
  return {
    folder: join(cache === '' ? join(home, '.cache') : cache, 'herald', 'ledgers'),
    key: join(configurationFolder(env, home), 'herald', 'view-key'),
  };
}
