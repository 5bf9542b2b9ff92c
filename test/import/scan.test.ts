import { expect, it } from 'vitest';
import { indexFacts } from '../../src/plan/decide/group.ts';
import type { ObjectRow, OpenRequest } from '../../src/state/shapes.ts';
import { aBroadcast, aCampaign, aLiveCampaign } from '../helpers/resource-builders.ts';
import { anOpenRequest, aRow, factsOf } from '../plan/facts-of.ts';
import { findImportable, type Scan } from '../../src/import/scan.ts';
import { SERVICE_DEFAULTS } from '../../src/domain/workspace.ts';

const aPause = (name: string, id: string) =>
  anOpenRequest(aCampaign({ name }), { live_id: id, target: 'paused', operation: 'campaigns.set-status' });
const aRecall = anOpenRequest(aCampaign(), { live_id: '1', operation: 'campaigns.unsend' });

const running = aLiveCampaign({ id: '1', name: 'Old', status: 'active' });

/** Why an object that no file declares is not imported. */
function unsettled(open: OpenRequest, objects: readonly ObjectRow[]): readonly string[] {
  const index = indexFacts(factsOf([], [running], { open: [open], known: { objects } }));
  const subject = { declared: [], workspace: { service: SERVICE_DEFAULTS } };
  const scan = { index, subject, plan: { changes: [] } } as unknown as Scan;
  return findImportable(scan).leftOut.map(({ code, reason }) => `${code}: ${reason}`);
}

it.each<[string, OpenRequest, boolean]>([
  ['a status change of it', aPause('Other', '1'), false],
  ['a create of its name', anOpenRequest(aCampaign({ name: 'Old' })), false],
  ['a create of its name on record', anOpenRequest(aCampaign({ name: 'Recorded' })), false],
  ['a recall of it', aRecall, false],
  ['a request about another object', aPause('Other', '2'), true],
  ['a request about a nameless object', aPause('', '2'), true],
  ['a request of another kind', anOpenRequest(aBroadcast({ name: 'Old' })), true],
  ['a request of another account', anOpenRequest(aCampaign({ account: 'bob', name: 'Old' })), true],
])('whether an object that no file declares is settled next to %s', (_, open, isSettled) => {
  // Without a record it has one name only.
  const reasons = unsettled(open, isSettled ? [] : [aRow(running, { name: 'Recorded' })]);
  expect(reasons).toEqual(isSettled ? [] : [expect.stringMatching(/^unfinished: .* got no answer/)]);
});
