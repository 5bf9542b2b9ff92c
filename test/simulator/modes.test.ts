import { expect, it } from 'vitest';
import type { ModeChanges } from '../../src/simulator/modes.ts';
import { aVaultVisit, UPLOADS, type VaultVisit } from './vault-visit.ts';
import { BROADCASTS, CAMPAIGNS, itemsOf, type Json } from './visit.ts';

type Visit = VaultVisit;

async function readStates(visit: Visit) {
  for (const status of ['archived', null]) visit.broadcast({ status });
  const { body } = await visit.call('GET', `${BROADCASTS}?include_archived=true`);
  return (body['items'] as Json[]).map(({ status }) => status);
}

async function retryUnfinished(visit: Visit) {
  await visit.start();
  expect(await visit.uploads('?expired=true'), 'not before its addresses lapse').toEqual([]);
  visit.clock.move(901_000);
  const [shown] = await visit.uploads('?expired=true');
  const { status } = await visit.call('POST', `${UPLOADS}/${String(shown?.['id'])}/retry`);
  return [shown?.['status'], status];
}

/** A mode, what is done, what comes of it by default, and what in this mode. */
const ROWS: readonly (readonly [ModeChanges, (visit: Visit) => Promise<unknown>, unknown, unknown])[] = [
  [{ namedStates: ['sent'] }, readStates, [null, 'archived'], ['sent', null]],
  [{ unfinishedStatus: 'null' }, retryUnfinished, ['uploaded', 200], [null, 404]],
];

it.each(ROWS)('%j changes what comes of it', async (modes, probe, byDefault, changed) => {
  expect(await probe(aVaultVisit())).toEqual(byDefault);
  expect(await probe(aVaultVisit(modes))).toEqual(changed);
});

it('an order of campaigns that is reshuffled changes from scan to scan, and never within one', async () => {
  const visit = aVaultVisit({ campaignOrder: 'reshuffled' });
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  for (const name of names) visit.campaign({ name });
  const scan = async () => {
    const pages = [];
    for (const offset of [0, 4])
      pages.push(...itemsOf(await visit.call('GET', `${CAMPAIGNS}?limit=4&offset=${offset}`)));
    return pages.map(({ name }) => String(name));
  };
  const scans = [await scan(), await scan()];
  expect(scans[0]).not.toEqual(scans[1]);
  for (const seen of scans) expect(seen.toSorted()).toEqual(names);
});

it('uploads of 64 MiB and more come in parts', async () => {
  const MIB = 1_048_576;
  const visit = aVaultVisit();
  const start = async (size: number) => visit.start({ name: 'a.jpg', size, content_type: 'image/jpeg' });
  expect((await start(64 * MIB - 1)).put_url).toContain('Signature=');
  expect((await start(64 * MIB)).parts).toHaveLength(4);
});
