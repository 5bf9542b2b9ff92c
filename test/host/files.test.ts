import {
  appendFileSync,
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
import { open, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { confinedTo } from '../../src/host/confined.ts';
import { fileLeases } from '../../src/host/file-lease.ts';
import { workspaceFiles } from '../../src/host/files.ts';
import { lineFiles } from '../../src/host/line-files.ts';

let directory: string;
const stranger = { pid: 1, host: 'here', isAlive: () => false, kernel: null, bootedMs: 0 };
const files = () => workspaceFiles(directory);
const lines = () => lineFiles(confinedTo(directory));
const leases = () => fileLeases(confinedTo(directory), stranger);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'herald-files-'));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  rmSync(directory, { recursive: true, force: true });
});

/** What file handles do, in order. */
async function watchHandles(): Promise<string[]> {
  const probe = await open(join(directory, 'probe'), 'w');
  const prototype = Object.getPrototypeOf(probe) as FileHandle;
  await probe.close();
  const seen: string[] = [];
  const { appendFile, sync } = prototype;
  vi.spyOn(prototype, 'appendFile').mockImplementation(async function (this: FileHandle, text) {
    await appendFile.call(this, text);
    seen.push('written');
  });
  vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    await sync.call(this);
    seen.push('on the disk');
  });
  return seen;
}

describe('files of a workspace', () => {
  it('get what is appended although something else has put a new file into their place', async () => {
    const ledger = '.herald/ledger.ndjson';
    const file = await lines().openForAppend(ledger);
    await file.append('one\n');
    await files().writeAtomically(ledger, 'one\npulled\n');
    await file.append('two\n');
    expect(readFileSync(join(directory, ledger), 'utf8')).toBe('one\npulled\ntwo\n');
    rmSync(join(directory, ledger));
    await file.append('three\n');
    expect(readFileSync(join(directory, ledger), 'utf8')).toBe('three\n');
    await file.close();
  });

  it('give what others have added since, whole lines only, and everything of a file that took their place', async () => {
    const ledger = '.herald/ledger.ndjson';
    await files().writeAtomically(ledger, 'before\n');
    const [one, other] = [await lines().openForAppend(ledger), await lines().openForAppend(ledger)];
    expect(await one.readAdded()).toBe('');
    await other.append('añadido\n');
    appendFileSync(join(directory, ledger), 'half of ');
    expect(await one.readAdded()).toBe('añadido\n');
    appendFileSync(join(directory, ledger), 'a line\n');
    expect(await one.readAdded()).toBe('half of a line\n');
    await files().writeAtomically(ledger, 'pulled\n');
    expect(await one.readAdded()).toBe('pulled\n');
    expect(await one.readAdded()).toBe('');
    await Promise.all([one.close(), other.close()]);
  });

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

  it.each<[string, () => Promise<unknown>]>([
    ['a ledger', async () => (await lines().openForAppend('.herald/ledger.ndjson')).close()],
    ['a lock', async () => (await leases().take()).release()],
    ['a world', () => files().writeAtomically('.herald/world.json', '')],
  ])('stand in a folder that only their owner can open, made for %s', async (_, write) => {
    await write();
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

  it('are unlocked without a word where the lock is gone already', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { release } = await leases().take();
    rmSync(join(directory, '.herald'), { recursive: true });
    // The library of locks notices at its next refresh.
    await Promise.all([expect(release()).resolves.toBeUndefined(), vi.advanceTimersByTimeAsync(5_000)]);
    await (await leases().take()).release();
  });

  it('are on the disk before an append is over', async () => {
    const seen = await watchHandles();
    const file = await lines().openForAppend('.herald/ledger.ndjson');
    await file.append('one\n').then(() => seen.push('appended'));
    await file.append('two\n').then(() => seen.push('appended'));
    await file.close();
    expect(seen).toEqual(['written', 'on the disk', 'appended', 'written', 'on the disk', 'appended']);
    expect(readFileSync(join(directory, '.herald/ledger.ndjson'), 'utf8')).toBe('one\ntwo\n');
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
