import { describe, expect, it } from 'vitest';
import type { Allowance } from '../../src/domain/allowance.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  createdFrom,
  knowing,
} from '../helpers/resource-builders.ts';
import { codesOf, linesOf, planOf } from './plan-of.ts';

const said = (text: string) => [{ step: 0, text, price_gross: 0, delay_sec: 0, attachments: [] }];
const declared = aCampaign();
const made = createdFrom(declared);
const REPLACE: ReadonlySet<Allowance> = new Set(['replace']);

/** Made from the declared content, replaced by 2, which was made from it as well. */
const replacedOnce = knowing({
  campaigns: [
    { id: '1', ...made, supersededBy: '2', pausedFor: 'replace' },
    { id: '2', ...made },
  ],
});
const old = aLiveCampaign({ id: '1', status: 'paused', messages: said('Hey!') });
const live = (text: string, more = {}) => aLiveCampaign({ id: '2', messages: said(text), ...more });

describe('a campaign that differs again in a field that it was replaced for', () => {
  it.each([
    ['shows the same value again', 'Hey!'],
    ['shows another value', 'Ho'],
  ])('is kept when it %s, and said', (_, text) => {
    const plan = planOf([declared], [old, live(text)], { knowledge: replacedOnce });
    expect(plan.changes).toMatchObject([
      {
        action: 'keep',
        live_id: '2',
        fields: [{ path: 'messages[0].text', old: text, new: 'Hey' }],
        steps: [],
      },
    ]);
    expect(codesOf(plan)).toEqual(['differs-again']);
    expect(plan.diagnostics[0]).toMatchObject({ severity: 'warning', address: 'alice/campaign/Welcome' });
  });

  it('is replaced with --allow replace', () => {
    expect(linesOf([declared], [old, live('Hey!')], { knowledge: replacedOnce, allow: REPLACE })).toEqual([
      'replace 2: pause 2, create, read_back',
    ]);
  });

  it('is replaced when the file says something new', () => {
    const next = aCampaign({ messages: [{ text: 'New' }] });
    expect(linesOf([next], [old, live('Hey!')], { knowledge: replacedOnce })).toEqual([
      'replace 2: pause 2, create, read_back',
    ]);
  });

  it('is replaced when the version before it was made from another content', () => {
    const knowledge = knowing({
      campaigns: [
        { id: '1', ...createdFrom(aCampaign({ messages: [{ text: 'Hey!' }] })), supersededBy: '2' },
        { id: '2', ...made },
      ],
    });
    expect(linesOf([declared], [old, live('Ho')], { knowledge })).toEqual([
      'replace 2: pause 2, create, read_back',
    ]);
  });

  it('is replaced when the ledger does not know what it was made from', () => {
    const knowledge = knowing({ campaigns: [{ id: '1', ...made, supersededBy: '2' }, { id: '2' }] });
    expect(linesOf([declared], [old, live('Hey!')], { knowledge })).toEqual([
      'replace 2: pause 2, create, read_back',
    ]);
  });

  it('is replaced when another field differs next to it', () => {
    const observed = [old, live('Hey!', { trigger: 'expired' })];
    expect(linesOf([declared], observed, { knowledge: replacedOnce })).toEqual([
      'replace 2: pause 2, create, read_back',
    ]);
  });

  it('is switched on as it is when Herald had paused it', () => {
    const knowledge = knowing({
      campaigns: [
        { id: '1', ...made, supersededBy: '2', pausedFor: 'replace' },
        { id: '2', ...made, pausedFor: 'declared' },
      ],
    });
    const plan = planOf([declared], [old, live('Hey!', { status: 'paused' })], { knowledge });
    expect(plan.changes.map(({ action }) => action)).toEqual(['activate']);
    expect(codesOf(plan)).toEqual(['differs-again']);
  });

  it('is not said of one that is to be stopped', () => {
    const plan = planOf([aCampaign({ target: 'archived' })], [old, live('Hey!')], {
      knowledge: replacedOnce,
    });
    expect(plan.changes.map(({ action }) => action)).toEqual(['archive', 'archive']);
    expect(codesOf(plan)).toEqual([]);
  });

  it('is another version next to one that runs and is equal', () => {
    const observed = [old, live('Hey!'), aLiveCampaign({ id: '3' })];
    expect(linesOf([declared], observed, { knowledge: replacedOnce })).toEqual([
      'pause 2: pause 2',
      'keep 3',
    ]);
  });

  it('is blocked as before when a person went back to it from the version after it', () => {
    const knowledge = knowing({
      campaigns: [
        { id: '1', ...made, supersededBy: '2', pausedFor: 'replace' },
        { id: '2', ...made, supersededBy: '3' },
        { id: '3', ...made },
      ],
    });
    const observed = [old, live('Hey!'), aLiveCampaign({ id: '3', status: 'paused' })];
    expect(linesOf([declared], observed, { knowledge })).toEqual(['blocked 2 needs resume']);
  });
});

it('a campaign that was never replaced is replaced, and the plan says that the file is as it was', () => {
  const knowledge = knowing({ campaigns: [{ id: '2', ...made }] });
  const [change] = planOf([declared], [live('Hey!')], { knowledge }).changes;
  expect(change?.action).toBe('replace');
  expect(change?.reasons.at(-1)).toBe(
    'The file is the same as when Herald created 2, so the service or a person has changed it since. If the new version differs again, Herald does not replace it again.',
  );
});

describe('the hour of a broadcast', () => {
  const teaser = aBroadcast();
  const ofIt = createdFrom(teaser);
  const knowledge = knowing({
    broadcasts: [
      { id: '1', ...ofIt, supersededBy: '2', pausedFor: 'replace' },
      { id: '2', ...ofIt },
    ],
  });
  const at = (id: string, hour: number, status = 'scheduled') =>
    aLiveBroadcast({ id, status, scheduled_at: `2026-06-01T${hour}:00:00Z` });

  it('is not a part of the content, so another one than before is replaced', () => {
    expect(linesOf([teaser], [at('1', 19, 'paused'), at('2', 20)], { knowledge })).toEqual([
      'replace 2: pause 2, check_not_left 2, create, read_back',
    ]);
  });

  it('that came back is left', () => {
    expect(linesOf([teaser], [at('1', 19, 'paused'), at('2', 19)], { knowledge })).toEqual(['keep 2']);
  });
});
