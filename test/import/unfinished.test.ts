import { expect, it } from 'vitest';
import type { Knowledge } from '../../src/domain/knowledge.ts';
import { ALL_READABLE } from '../../src/plan/guards/unreadable.ts';
import { unfinishedChange, unfinishedStatus } from '../../src/reconcile/import/unfinished.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveCampaign,
  anOpenEntry,
  anOpenStatus,
  anOpenUnsend,
  knowing,
} from '../helpers/resource-builders.ts';

const aPause = (name: string, liveId: string) =>
  anOpenStatus(aCampaign({ name }), { liveId, target: 'paused', sentAtMs: 0 });
const open = (entry: Knowledge['open'][number]) => knowing({ open: [entry] });

const stopped = aLiveCampaign({ id: '1', name: 'Old', status: 'paused' });
const declared = aCampaign({ renamedFrom: 'Former' });
const owed = { id: '1', name: 'Old', pausedFor: 'replace' } as const;

it.each<[string, Knowledge]>([
  ['a create of its name', open(anOpenEntry(declared))],
  ['a create of its former name', open(anOpenEntry(aCampaign({ name: 'Former' })))],
  ['a create of the live name', open(anOpenEntry(aCampaign({ name: 'Old' })))],
  [
    'a create of the recorded name',
    knowing({
      campaigns: [{ id: '1', name: 'Recorded' }],
      open: [anOpenEntry(aCampaign({ name: 'Recorded' }))],
    }),
  ],
  ['a pause of its object under another name', open(aPause('Other', '1'))],
  ['a recall of its object', open(anOpenUnsend(declared, '1'))],
  ['a pause for a replace', knowing({ campaigns: [owed] })],
])('a resource is unfinished next to %s', (_, knowledge) => {
  expect(unfinishedChange(declared, [stopped], knowledge, ALL_READABLE)).toMatch(
    /herald (?:apply|ledger close)/,
  );
});

it.each<[string, Knowledge]>([
  ['nothing', knowing()],
  ['a request about another resource', open(aPause('Other', '2'))],
  ['a request of another kind', open(anOpenEntry(aBroadcast({ name: 'Welcome' })))],
  ['a request of another account', open(anOpenEntry(aCampaign({ account: 'bob' })))],
  ['a replace that is complete', knowing({ campaigns: [{ ...owed, supersededBy: '2' }] })],
  ['a pause for a replace of an older version', knowing({ campaigns: [owed, { id: '2' }] })],
])('a resource is finished next to %s', (_, knowledge) => {
  const newer = aLiveCampaign({ id: '2', status: 'paused' });
  const group = knowledge.objects.size === 2 ? [stopped, newer] : [stopped];
  expect(unfinishedChange(declared, group, knowledge, ALL_READABLE)).toBeNull();
});

const damaged = { name: 'ledger', damaged: [3] };
const CANNOT_READ = /^Herald cannot read ledger:3\. .*herald ledger check\.$/;

it.each<[string, Knowledge]>([
  ['nothing', knowing()],
  ['an open create of its name', open(anOpenEntry(declared))],
  ['a pause for a replace', knowing({ campaigns: [owed] })],
])('a damaged line comes first, next to %s', (_, knowledge) => {
  expect(unfinishedChange(declared, [stopped], knowledge, damaged)).toMatch(CANNOT_READ);
});

const running = aLiveCampaign({ id: '1', name: 'Old', status: 'active' });

it.each<[string, Knowledge]>([
  ['a status change of it', open(aPause('Other', '1'))],
  ['a create of its name', open(anOpenEntry(aCampaign({ name: 'Old' })))],
  ['a recall of it', open(anOpenUnsend(declared, '1'))],
])('an unmanaged object is not settled next to %s', (_, knowledge) => {
  for (const unreadable of [ALL_READABLE, damaged])
    for (const object of [stopped, running])
      expect(unfinishedStatus(object, knowledge, unreadable)).toMatch(/got no answer/);
});

it('a damaged line keeps back what is paused, and nothing else', () => {
  expect(unfinishedStatus(stopped, knowing(), damaged)).toMatch(CANNOT_READ);
  expect(unfinishedStatus(running, knowing(), damaged)).toBeNull();
});

it.each<[string, Knowledge]>([
  ['a request about another object', open(aPause('Other', '2'))],
  ['a request of another kind', open(anOpenEntry(aBroadcast({ name: 'Old' })))],
  ['a request of another account', open(anOpenEntry(aCampaign({ account: 'bob', name: 'Old' })))],
])('an unmanaged object is settled next to %s', (_, knowledge) => {
  expect(unfinishedStatus(stopped, knowledge, ALL_READABLE)).toBeNull();
});
