import { describe, expect, it } from 'vitest';
import type { Client } from '../../src/api/client.ts';
import { NO_LIST } from '../../src/apply/fresh-list.ts';
import { CallQueue } from '../../src/requests/call-queue.ts';
import { RepeatBound } from '../../src/apply/repeat-bound.ts';
import { createStep } from '../../src/apply/step-create.ts';
import type { StepContext } from '../../src/apply/step-context.ts';
import type { UploadMedia } from '../../src/domain/uploads.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { HELD_LEASE, UNKNOWN_CLOCK_SERVICE } from '../helpers/ledger-builders.ts';
import { memoryWorkspace } from '../helpers/memory-workspace.ts';
import { aCampaign } from '../helpers/resource-builders.ts';
import { NOON } from '../helpers/scene.ts';

const FILE = { path: 'live/a.jpg', name: 'a.jpg', size: 5, content_type: 'image/jpeg', digest: 'sha256:aa' };

/** A create that shows one file, and that is answered with this status. */
async function refused(status: number, { earlier }: { earlier: boolean }) {
  const clock = flowClock(NOON);
  const problem = {
    what: `answered ${status}`,
    method: 'POST',
    url: 'https://api.example/x',
    status,
    hint: null,
  };
  const client: Pick<Client, 'prepare' | 'skewRange'> = {
    prepare: () => () => Promise.resolve({ kind: 'refused', problem, sentAtMs: NOON } as never),
    skewRange: () => null,
  };
  const identity = { run: 'r', who: 'tester' };
  const ledger = await Ledger.open({
    store: memoryWorkspace({}).state.ledger,
    lease: HELD_LEASE,
    clock,
    identity,
    service: UNKNOWN_CLOCK_SERVICE,
  });
  const declared = aCampaign({
    messages: [{ text: 'Look', attachments: [{ file: FILE, type: 'image', is_paid: false }] }],
  });
  const upload: UploadMedia = () => Promise.resolve({ kind: 'uploaded', mediaId: '77', earlier });
  const context: StepContext = {
    // Nothing else is used of it.
    client: client as Client,
    clock,
    ledger,
    queue: new CallQueue(),
    stop: new AbortController().signal,
    settleMs: 75_000,
    repeats: new RepeatBound(clock),
    upload,
    rewritesIn: () => [],
    account: { alias: 'alice', accountId: '101', platformAccountId: null } as never,
    change: { address: declared.address, action: 'create', live_id: null, steps: [] } as never,
    declared,
    byHand: null,
    list: NO_LIST,
    moved: false,
    planned: () => undefined,
    readBacks: null,
    ownStatuses: new Map(),
    createdId: null,
    begun: false,
    listIsOld: false,
  };
  const result = await createStep(context);
  return result.kind === 'failed' ? result.message : `${result.kind} instead of failed`;
}

describe('a create that is refused', () => {
  it('names the files, the account and the media of an earlier run: someone may have deleted them', async () => {
    const message = await refused(400, { earlier: true });
    for (const word of ['live/a.jpg (media 77)', 'alice (account 101)', '--account alice --again'])
      expect(message).toContain(word);
  });

  it('says nothing of media that this run has uploaded, nor where the key is refused', async () => {
    expect(await refused(400, { earlier: false })).not.toContain('--again');
    expect(await refused(403, { earlier: true })).not.toContain('--again');
  });
});
