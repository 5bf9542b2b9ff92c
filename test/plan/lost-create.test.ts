import { expect, it } from 'vitest';
import { contentMatchWith } from '../../src/plan/lost-create.ts';
import { aCampaign, aLiveCampaign, anOpenEntry } from '../helpers/resource-builders.ts';

const declared = aCampaign({ messages: [{ text: 'Hey' }, { text: 'Still there?', delay_sec: 60 }] });
const entry = anOpenEntry(declared, { wanted: { content: declared.content, scheduledAtUtc: null } });
const shown = (first: string, second: string, more = {}) =>
  aLiveCampaign({
    messages: [
      { step: 0, text: first },
      { step: 1, text: second, delay_sec: 60 },
    ],
    ...more,
  });

it.each([
  ['the same', shown('Hey', 'Still there?'), 'equal'],
  ['other texts', shown('Hey.', 'Still there'), 'reworded'],
  ['another trigger', shown('Hey', 'Still there?', { trigger: 'expired' }), 'other'],
  ['another text and another trigger', shown('Ho', 'Still there?', { trigger: 'expired' }), 'other'],
  ['fewer messages', aLiveCampaign(), 'other'],
  ['a content that cannot be read', shown('Hey', 'Still there?', { action: null }), null],
] as const)('an object with %s is compared with what a lost create asked for', (_, object, contentMatch) => {
  expect(contentMatchWith(entry, object)).toBe(contentMatch);
});

it('gives nothing where the ledger does not say what was asked for', () => {
  expect(contentMatchWith({ ...entry, wanted: null }, shown('Hey', 'Still there?'))).toBeNull();
});
