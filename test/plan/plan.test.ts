import { expect, it } from 'vitest';
import { aCampaign, aLiveCampaign } from '../helpers/resource-builders.ts';
import { aRow, codesOf, planOf } from './facts-of.ts';

it('a prune stops nothing while a pattern of files: matches nothing', () => {
  const live = aLiveCampaign({ id: '7', name: 'Old' });
  const parts = {
    known: { objects: [aRow(live)] },
    unmatched: ['more/*.yaml'],
    allow: new Set(['prune'] as const),
  };
  expect(codesOf([aCampaign()], [live], parts)).toContain('prune-missing-files');
});

it('a list that was not seen is named, although nothing is declared on it', () => {
  const parts = { unseen: new Map([['bob/campaign', 'The list cannot be read.']]) };
  const [note] = planOf([aCampaign()], [], parts).diagnostics;
  expect(note).toMatchObject({ code: 'account-not-seen' });
  expect(note?.message).toContain('herald plan --exclude bob/campaign');
});
