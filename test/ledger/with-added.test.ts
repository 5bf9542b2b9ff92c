import { expect, it } from 'vitest';
import { objectKey } from '../../src/domain/knowledge.ts';
import { NOTHING_OUT_OF_ORDER } from '../../src/ledger/out-of-order.ts';
import { keepNoEntry, Reduction } from '../../src/ledger/reduction.ts';
import { knowledgeWith } from '../../src/ledger/with-added.ts';
import { anIntent, anOutcomeLine } from '../helpers/ledger-builders.ts';

const BEGIN = Date.UTC(2026, 5, 1, 12);

const timed = (afterMs: number, skew_ms = 0) => {
  const ms = BEGIN + afterMs;
  return { at: new Date(ms).toISOString(), sent_at_ms: ms, skew_ms };
};
const pause = (more: Parameters<typeof anIntent>[0]) =>
  anIntent({ call: 'status', live_id: '7', content: null, hidden: null, ...more });

it('what a person stopped right after an apply began to archive it stays stopped, once that is found to have happened', () => {
  const reduction = new Reduction('', keepNoEntry, NOTHING_OUT_OF_ORDER);
  const archive = pause({ entry: 'r-1', target: 'archived', purpose: 'duplicate', ...timed(0) });
  const byHand = pause({ run: 'h', entry: 'h-1', target: 'paused', purpose: 'by_hand', ...timed(500, 1) });
  reduction.take(archive);
  reduction.take(byHand);
  reduction.take(anOutcomeLine({ run: 'h', entry: 'h-1', live_id: '7', ...timed(600, 1) }));
  const reading = reduction.result();
  expect(reading.knowledge.open.map(({ entry }) => entry)).toEqual(['r-1']);
  const found = anOutcomeLine({ run: 'x', entry: 'r-1', outcome: 'adopted', live_id: '7', ...timed(70_000) });
  const { objects, open } = knowledgeWith(reading, [found]);
  const key = objectKey(archive.account_id, archive.kind, '7');
  expect([objects.get(key)?.pausedFor, open]).toEqual(['by_hand', []]);
});
