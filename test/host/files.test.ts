import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workspaceFiles } from '../../src/host/files.ts';

let directory: string;
const files = () => workspaceFiles(directory);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'herald-files-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

describe('files of a workspace', () => {
  it('are replaced where a link leads, and the link stays', async () => {
    mkdirSync(join(directory, 'shared'));
    writeFileSync(join(directory, 'shared/a.yaml'), 'old');
    chmodSync(join(directory, 'shared/a.yaml'), 0o664);
    symlinkSync('shared/a.yaml', join(directory, 'a.yaml'));
    await files().writeAtomically('a.yaml', 'new');
    expect(lstatSync(join(directory, 'a.yaml')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(directory, 'shared/a.yaml'), 'utf8')).toBe('new');
    expect(statSync(join(directory, 'shared/a.yaml')).mode & 0o777).toBe(0o664);
    expect(readdirSync(join(directory, 'shared'))).toEqual(['a.yaml']);
  });

  it('are written where a link leads that leads to nothing yet', async () => {
    symlinkSync('b.yaml', join(directory, 'a.yaml'));
    symlinkSync('shared/new/c.yaml', join(directory, 'b.yaml'));
    await files().writeAtomically('a.yaml', 'new');
    expect(readFileSync(join(directory, 'shared/new/c.yaml'), 'utf8')).toBe('new');
    expect(lstatSync(join(directory, 'a.yaml')).isSymbolicLink()).toBe(true);
    expect(await files().leadsTo('b.yaml')).toBe('shared/new/c.yaml');
    symlinkSync('loop', join(directory, 'loop'));
    expect(await files().leadsTo('loop/x')).toBe('loop/x');
  });

  it('are as the umask wants them where they are new', async () => {
    await files().writeAtomically('new/a.yaml', 'text');
    writeFileSync(join(directory, 'new/plain'), '');
    const plain = statSync(join(directory, 'new/plain')).mode;
    expect(statSync(join(directory, 'new/a.yaml')).mode).toBe(plain);
  });

  it('are for their owner only where they are private, also in the place of others', async () => {
    await files().writeAtomically('plan.json', 'old');
    chmodSync(join(directory, 'plan.json'), 0o644);
    await files().writeAtomically('plan.json', 'new', { isPrivate: true });
    await files().writeAtomically('new.json', 'new', { isPrivate: true });
    expect(statSync(join(directory, 'plan.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(directory, 'new.json')).mode & 0o777).toBe(0o600);
  });

  it('stand in a folder that only their owner can open', async () => {
    await files().writeAtomically('.herald/world.json', '');
    expect(statSync(join(directory, '.herald')).mode & 0o777).toBe(0o700);
  });

  it('leave a folder that is there as open as it is', async () => {
    mkdirSync(join(directory, '.herald'));
    chmodSync(join(directory, '.herald'), 0o755);
    await files().writeAtomically('.herald/world.json', '');
    expect(statSync(join(directory, '.herald')).mode & 0o777).toBe(0o755);
  });

  it('say where a path leads, as far as it is there', async () => {
    mkdirSync(join(directory, 'real/.git'), { recursive: true });
    symlinkSync('real/.git', join(directory, 'linked'));
    symlinkSync('..', join(directory, 'out'));
    expect(await files().leadsTo('linked/hooks/new')).toBe('real/.git/hooks/new');
    expect(await files().leadsTo('real/new')).toBe('real/new');
    expect(await files().leadsTo('out/elsewhere')).toBe('../elsewhere');
  });

  it('are replaced whole, and nothing is left next to them', async () => {
    await files().writeAtomically('plans/plan.json', 'old');
    await files().writeAtomically('plans/plan.json', 'new');
    expect(readFileSync(join(directory, 'plans/plan.json'), 'utf8')).toBe('new');
    expect(readdirSync(join(directory, 'plans'))).toEqual(['plan.json']);
  });

  it('are found by globs in the same order everywhere, without those that begin with a dot', async () => {
    for (const path of ['b.yaml', 'a/z.yaml', 'a/.hidden.yaml', 'B.yaml'])
      await files().writeAtomically(path, '');
    expect(await files().glob(['**/*.yaml'])).toEqual(['B.yaml', 'a/z.yaml', 'b.yaml']);
  });
});
