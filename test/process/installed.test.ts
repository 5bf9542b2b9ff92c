import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/version.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Packing builds everything, and the dependencies come from the registry. */
const INSTALL_MS = 600_000;

it(
  'the packed file installs into an empty folder, and leads to a first apply',
  () => {
    const folder = temporaryFolder();
    const { HERALD_API_KEY: _key, HERALD_BASE_URL: _url, ...rest } = process.env;
    const env = { ...rest, XDG_CONFIG_HOME: join(folder, 'config') };
    const run = (command: string, args: readonly string[], cwd = folder) =>
      execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const herald = (...args: readonly string[]) => run(join(folder, 'prefix/bin/herald'), args);
    run('npm', ['pack', '--pack-destination', folder], process.cwd());
    run('npm', ['install', '--global', '--prefix', 'prefix', `./herald-campaigns-${VERSION}.tgz`]);
    expect(herald('--version').trim()).toBe(VERSION);
    herald('init', 'my-agency');
    expect(herald('-C', 'my-agency', 'plan')).toContain('2 to create');
    expect(herald('-C', 'my-agency', 'apply', '--yes')).toContain('2 ');
    expect(herald('-C', 'my-agency', 'plan')).toContain('No changes');
  },
  INSTALL_MS,
);
