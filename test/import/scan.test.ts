import { expect, it } from 'vitest';
import { indexFacts } from '../../src/plan/decide/group.ts';
import type { ObjectRow, OpenRequest } from '../../src/state/shapes.ts';
import { aBroadcast, aCampaign, aLiveCampaign } from '../helpers/resource-builders.ts';
import { anOpenRequest, aRow, factsOf, groupOf } from '../plan/facts-of.ts';
import { explainUnfinished, findImportable, type Scan } from '../../src/import/scan.ts';
import { SERVICE_DEFAULTS } from '../../src/domain/workspace.ts';

const stopped = aLiveCampaign({ id: '1', name: 'Welcome', status: 'paused' });
const newer = aLiveCampaign({ id: '2', name: 'Welcome', status: 'paused' });
const declared = aCampaign({ renamedFrom: 'Former' });
const owed = { status_set: 'paused', status_why: 'replace' };

const aPause = (name: string, id: string) =>
  anOpenRequest(aCampaign({ name }), { live_id: id, target: 'paused', operation: 'campaigns.set-status' });
const aRecall = anOpenRequest(declared, { live_id: '1', operation: 'campaigns.unsend' });

interface Parts {
  readonly open?: readonly OpenRequest[];
  readonly objects?: readonly ObjectRow[];
  readonly live?: readonly ReturnType<typeof aLiveCampaign>[];
}

function unfinished({ open = [], objects = [], live = [stopped] }: Parts): string | null {
  return explainUnfinished(groupOf([declared], live, { open, known: { objects } }));
}

it.each<[string, Parts]>([
  ['a create of its name', { open: [anOpenRequest(declared)] }],
  ['a create of its former name', { open: [anOpenRequest(aCampaign({ name: 'Former' }))] }],
  ['a pause of its object under another name', { open: [aPause('Other', '1')] }],
  ['a recall of its object', { open: [aRecall] }],
  ['a pause for a replace', { objects: [aRow(stopped, owed)] }],
])('a resource is unfinished next to %s', (_, parts) => {
  expect(unfinished(parts)).toMatch(/herald (?:apply|state close)/);
});

it.each<[string, Parts]>([
  ['nothing', {}],
  ['a pause of its object that was answered', { open: [{ ...aPause('Other', '1'), outcome: 'done' }] }],
  ['a request about another resource', { open: [aPause('Other', '2')] }],
  ['a request of another kind', { open: [anOpenRequest(aBroadcast({ name: 'Welcome' }))] }],
  ['a request of another account', { open: [anOpenRequest(aCampaign({ account: 'bob' }))] }],
  ['a replace that is complete', { objects: [aRow(stopped, { ...owed, replaced_by: '2' })] }],
  [
    'a pause for a replace of an older version',
    { objects: [aRow(stopped, owed), aRow(newer)], live: [stopped, newer] },
  ],
])('a resource is finished next to %s', (_, parts) => {
  expect(unfinished(parts)).toBeNull();
});

/** Why an object that no file declares is not imported. */
function unsettled(open: OpenRequest, object: typeof stopped, ...objects: ObjectRow[]): readonly string[] {
  const index = indexFacts(factsOf([], [object], { open: [open], known: { objects } }));
  const subject = { declared: [], workspace: { service: SERVICE_DEFAULTS } };
  const scan = { index, subject, plan: { changes: [] } } as unknown as Scan;
  return findImportable(scan).leftOut.map(({ code, reason }) => `${code}: ${reason}`);
}

const running = aLiveCampaign({ id: '1', name: 'Old', status: 'active' });

it.each<[string, OpenRequest]>([
  ['a status change of it', aPause('Other', '1')],
  ['a create of its name', anOpenRequest(aCampaign({ name: 'Old' }))],
  ['a create of its name on record', anOpenRequest(aCampaign({ name: 'Recorded' }))],
  ['a recall of it', aRecall],
])('an object that no file declares is not settled next to %s', (_, open) => {
  expect(unsettled(open, running, aRow(running, { name: 'Recorded' }))).toEqual([
    expect.stringMatching(/^unfinished: .* got no answer/),
  ]);
});

it.each<[string, OpenRequest]>([
  ['a request about another object', aPause('Other', '2')],
  ['a request about a nameless object', aPause('', '2')],
  ['a request of another kind', anOpenRequest(aBroadcast({ name: 'Old' }))],
  ['a request of another account', anOpenRequest(aCampaign({ account: 'bob', name: 'Old' }))],
])('an object that no file declares is settled next to %s', (_, open) => {
  expect(unsettled(open, running)).toEqual([]);
});
