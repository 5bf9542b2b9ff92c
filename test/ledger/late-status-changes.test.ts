import { describe, expect, it } from 'vitest';
import { LateStatusChanges } from '../../src/ledger/late-status-changes.ts';
import { objectKey } from '../../src/domain/knowledge.ts';
import { anIntent, anOutcomeLine } from '../helpers/ledger-builders.ts';

const pause = { call: 'status', live_id: '7', target: 'paused', purpose: 'declared' } as const;
const key = objectKey('101', 'campaign', '7');

describe('copies of a status change that may still land', () => {
  it('are known from the ledger', () => {
    const unconfirmed = new LateStatusChanges([anIntent(pause), anOutcomeLine({ unheard_ms: 5 })]);
    expect(unconfirmed.of(key)).toMatchObject([{ target: 'paused', sentAtMs: 5 }]);
    expect(unconfirmed.of(objectKey('101', 'campaign', '8'))).toEqual([]);
  });

  it('are none where every copy was heard, and none of a create', () => {
    expect(new LateStatusChanges([anIntent(pause), anOutcomeLine()]).of(key)).toEqual([]);
    const create = new LateStatusChanges([anIntent({ live_id: '7' }), anOutcomeLine({ unheard_ms: 5 })]);
    expect(create.of(key)).toEqual([]);
  });

  it('are what a process sent that died before it heard anything', () => {
    const unconfirmed = new LateStatusChanges([anIntent({ ...pause, sent_at_ms: 7 })]);
    expect(unconfirmed.of(key)).toMatchObject([{ target: 'paused', sentAtMs: 7 }]);
  });

  it('are the last ones of each change, also when lines were merged in another order', () => {
    const lines = [
      anOutcomeLine({ entry: 'r-2', unheard_ms: 9 }),
      anOutcomeLine({ unheard_ms: 5 }),
      anIntent(pause),
      anIntent({ ...pause, entry: 'r-2', target: 'active' }),
    ];
    expect(new LateStatusChanges(lines).of(key)).toMatchObject([
      { entry: 'r-1', target: 'paused', sentAtMs: 5 },
      { entry: 'r-2', target: 'active', sentAtMs: 9 },
    ]);
  });
});
