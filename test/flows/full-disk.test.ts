import { closeSync, lstatSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typedFiles } from '../../src/host/files.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { builtHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveWorld, type Served } from '../helpers/served.ts';
import { expectEnd } from '../helpers/flows.ts';

/** Takes nothing: every write to it ends as on a full disk. */
const FULL = '/dev/full';

const herald = builtHerald();
let served: Served;
let full: number;
beforeAll(async () => {
  served = await serveWorld();
  served.simulator.control.setData({ subscriptions: 3 });
  full = openSync(FULL, 'w');
});
afterAll(async () => {
  closeSync(full);
  await served.close();
});

const FILES = { 'herald.yaml': WORKSPACE, ...declaring({ campaigns: [campaign()] }) };
const FULL_DISK = 'the disk is full';

const intoFull = (args: readonly string[]) =>
  herald.start(herald.workspace(FILES), args, served.env, { stdout: full }).ran;

/** One of each way to standard output: before anything is loaded, whole, in pieces, and as bytes. */
const WAYS = ['--version', '--help', 'plan --format json', 'accounts list', 'accounts list --format ndjson'];

describe('a result that does not fit on the disk', () => {
  it.each(WAYS.map((line) => [line]))('%s ends with exit 1 and says why', async (line) => {
    const ran = await intoFull(line.split(' '));
    expectEnd(ran, 1, `error: cannot write the result: ${FULL_DISK}.\n`);
    expect(ran.stderr).not.toContain('bug');
  });

  it('keeps a code that says more', async () => {
    expectEnd(await intoFull(['drift']), 2, FULL_DISK);
  });

  it('is not a failure before anything was changed once something may have been', async () => {
    const ran = await intoFull(['apply', '--yes', '--format', 'json']);
    expectEnd(ran, 4, `${FULL_DISK}. The changes were made.`);
    expect(Object.values(served.simulator.world.accounts['101']?.campaigns ?? {}).length).toBe(1);
  });

  it('is one where there was nothing to change', async () => {
    await heraldHere(herald.workspace(FILES), { args: ['apply', '--yes'], env: served.env });
    expectEnd(await intoFull(['apply', '--yes', '--format', 'json']), 1, `${FULL_DISK}.\n`);
  });
});

describe('a file that is a device', () => {
  const isDevice = () => lstatSync(FULL).isCharacterDevice();

  it('is written to by plan --out, which says why it could not', async () => {
    const ran = await heraldHere(herald.workspace(FILES), { args: ['plan', '--out', FULL], env: served.env });
    expectEnd(ran, 1, `error: The system refused: ${FULL_DISK}.\nFree some space`);
    expect(isDevice(), 'no file replaces it').toBe(true);
  });

  it('is written to by what writes bytes, such as vault thumbnail --out', async () => {
    const files = typedFiles(herald.workspace({}));
    await expect(files.writeAtomically(FULL, Buffer.from('a picture'))).rejects.toThrow('ENOSPC');
    expect(isDevice(), 'no file replaces it').toBe(true);
  });
});
