import { describe, expect, it } from 'vitest';
import type { IntentLine } from '../../src/ledger/lines.ts';
import { isAgainstWrite, type Pulled } from '../../src/ledger/pulled.ts';
import type { PlannedWrite } from '../../src/ledger/stops.ts';

const WRITE: PlannedWrite = {
  accountId: '101',
  kind: 'broadcast',
  liveId: '7',
  starts: true,
  name: 'Teaser',
  group: ['7'],
  content: 'ours',
};
const LINE = {
  type: 'intent',
  account_id: '101',
  kind: 'broadcast',
  name: 'Teaser',
  call: 'create',
  live_id: null,
  target: null,
  purpose: null,
  content: 'theirs',
  supersedes: [] as string[],
} as unknown as IntentLine;
const start = (liveId: string, more: object = {}) => ({
  ...LINE,
  call: 'status',
  live_id: liveId,
  target: 'queued',
  ...more,
});
const recall = (liveId: string, more: object = {}) => ({ ...LINE, call: 'unsend', live_id: liveId, ...more });
const OTHER = { name: 'Other' };

describe('a request that a pull brings', () => {
  it.each<[string, object, Partial<PlannedWrite>, Partial<Pulled>, boolean]>([
    ['a create of the name is against a start', LINE, {}, {}, true],
    ['a create of the name is against a create', LINE, { liveId: null }, {}, true],
    ['a create of the name is not against a stop', LINE, { starts: false }, {}, false],
    ['a create of another name is not', { ...LINE, ...OTHER }, {}, {}, false],
    ['a create of the same content is', { ...LINE, ...OTHER, content: 'ours' }, {}, {}, true],
    [
      'a create without content is not a twin',
      { ...LINE, ...OTHER, content: null },
      { content: null },
      {},
      false,
    ],
    ['a create that replaces the object is', { ...LINE, ...OTHER, supersedes: ['7'] }, {}, {}, true],
    ['a create of another account is not', { ...LINE, account_id: '102' }, {}, {}, false],
    ['a create that was not carried out is not', LINE, {}, { end: 'not carried out' }, false],
    ['a create that has made the object is not', LINE, {}, { end: 'carried out', madeId: '7' }, false],
    ['a create that has made another one is', LINE, {}, { end: 'carried out', madeId: '8' }, true],
    ['a start of another object is against a create', start('8'), { liveId: null }, {}, true],
    ['a start of the same object is not', start('7'), {}, {}, false],
    ['a start in the change is, under another name', start('8', OTHER), { group: ['7', '8'] }, {}, true],
    ['a stop of another object is not', start('8', { target: 'paused' }), {}, {}, false],
    ['a recall is against a start of the object', recall('7', OTHER), {}, {}, true],
    ['a recall is against a create of the name', recall('8'), { liveId: null }, {}, true],
    ['a recall is not against a stop', recall('7'), { starts: false }, {}, false],
    ['a recall is against a recall', recall('7'), { starts: false, recalls: true }, {}, true],
    ['a recall is not against that of another one', recall('8'), { starts: false, recalls: true }, {}, false],
  ])('%s', (_, line, write, pulled, expected) => {
    const one = { line: line as IntentLine, end: 'none', madeId: null, ...pulled } as const;
    expect(isAgainstWrite({ ...WRITE, ...write }, one, 1_000)).toBe(expected);
  });

  it.each([
    ['a create', LINE, 59_000, true],
    ['a create', LINE, 61_000, false],
    ['a recall', recall('7'), 86_000_000, true],
    ['a recall', recall('7'), 86_500_000, false],
  ])('that was carried out counts for a time: %s', (_, line, ageMs, expected) => {
    const one = { line: line as IntentLine, end: 'carried out', madeId: null } as const;
    expect(isAgainstWrite(WRITE, one, ageMs)).toBe(expected);
  });
});
