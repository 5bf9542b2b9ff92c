import { describe, expect, it, test } from 'vitest';
import { FieldPath } from '../../src/domain/field-path.ts';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import { compare, NOTHING_ON_RECORD } from '../../src/plan/compare/content.ts';
import { aBroadcast, aCampaign, aLiveBroadcast, aLiveCampaign } from '../helpers/resource-builders.ts';
import { BROADCAST, CAMPAIGN, diagnose, load, placesIn, placesInWorkspace, WORKSPACE } from './declare.ts';

async function declaredWith(campaignLine: string, workspaceLine = '') {
  const loaded = await load({
    'herald.yaml': `${WORKSPACE}${workspaceLine}`,
    'campaigns/a.yaml': `${CAMPAIGN}${campaignLine}`,
  });
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.diagnostics));
  return { ...loaded, first: loaded.declared[0] };
}

describe('ignore', () => {
  test('takes paths as plans print them, and keeps one spelling of each', async () => {
    const { first } = await declaredWith(
      '    ignore: ["messages[0].text", messages.0.text, "messages[*].price_gross", rules]\n',
    );
    expect(first?.ignore).toEqual(['messages.*.price_gross', 'messages.0.text', 'rules']);
  });

  test('of the workspace holds for every resource, next to its own', async () => {
    const line = 'ignore: [rules.online_check_mode]\n';
    expect((await declaredWith('', line)).first?.ignore).toEqual(['rules.online_check_mode']);
    expect((await declaredWith('    ignore: [trigger]\n', line)).first?.ignore).toEqual([
      'rules.online_check_mode',
      'trigger',
    ]);
  });

  test('of a path that nothing compares is an error with its place', async () => {
    expect(await placesIn(`${CAMPAIGN}    ignore: [rules, rules.end, name]\n`)).toEqual([
      'a.yaml:8:21: unknown-path',
      'a.yaml:8:32: unknown-path',
    ]);
    expect(await placesInWorkspace(`${WORKSPACE}ignore:\n  - messages.*.texts\n`)).toEqual([
      'herald.yaml:8:5: unknown-path',
    ]);
  });

  test('of a broadcast knows no trigger, and of a campaign no schedule', async () => {
    expect(await placesIn(`${CAMPAIGN}    ignore: [scheduled_at]\n`)).toEqual(['a.yaml:8:14: unknown-path']);
    expect(await placesIn(`${BROADCAST}    ignore: [trigger, scheduled_at]\n`)).toEqual([
      'a.yaml:7:14: unknown-path',
    ]);
  });

  test('says which path was probably meant, and all that there are', async () => {
    const [finding] = await diagnose({ 'campaigns/a.yaml': `${CAMPAIGN}    ignore: ["messages[0].txt"]\n` });
    expect(finding?.message).toContain('Did you mean "messages.*.text"?');
    expect(finding?.message).toContain('rules.send_delay_interval.min_sec');
  });
});

const LISTS = { options: { lists: [{ name: 'A' }], from_days: 3, to_days: 1 } };
const FILTER = { kind: 'subscribed_date', mode: 'include', ...LISTS } as const;
const MESSAGE = {
  text: 'Ours',
  price_gross: 5,
  delay_sec: 9,
  text_is_paid: true,
  attachments: [{ id: '5', type: 'image' }],
  tagged_platform_account_ids: ['7'],
};
const LIVE_MESSAGE = {
  step: 0,
  text: 'Theirs',
  price_gross: 1,
  delay_sec: 1,
  text_is_paid: false,
  attachments: [],
};

/** Everything that can differ, differing. */
const CASES: readonly { readonly declared: Declared; readonly observed: Observed }[] = [
  {
    declared: aCampaign({
      trigger: 'other',
      rules: {
        send_delay_interval: { min_sec: 1, range_sec: 2 },
        send_after_expire_min: 1,
        send_before_expire_min: 1,
        unsend_delay_sec: 1,
        retry_after_unsend_min: 1,
        unsend_if_not_read_enabled: true,
        unsend_if_not_replied_enabled: true,
        mimic_on_reply_enabled: true,
        end_at: '2030-01-01T00:00:00Z',
      },
      audience_filters: [FILTER],
      messages: [MESSAGE, { text: 'One more' }],
    }),
    observed: aLiveCampaign({
      action: 'start_mimic',
      rules: {
        unsend_if_not_read_enabled: false,
        unsend_if_not_replied_enabled: false,
        mimic_on_reply_enabled: false,
      },
      messages: [LIVE_MESSAGE],
    }),
  },
  {
    declared: aBroadcast({
      scheduledAtUtc: '2026-06-01T20:00:00Z',
      rules: {
        online_check_mode: 'online',
        unsend_delay_sec: 1,
        unsend_if_not_read_enabled: true,
        mimic_on_reply_enabled: true,
        end_at: '2030-01-01T00:00:00Z',
      },
      audience_filters: [FILTER],
      messages: [MESSAGE],
    }),
    observed: aLiveBroadcast({
      rules: { unsend_if_not_read_enabled: false, mimic_on_reply_enabled: false },
      messages: [LIVE_MESSAGE, { ...LIVE_MESSAGE, step: 1 }],
    }),
  },
];

describe.each(CASES)('every path that a plan prints of a $declared.kind', ({ declared, observed }) => {
  const known = { ...NOTHING_ON_RECORD, hidden: 'another' };
  const comparison = compare(declared, observed, known);
  const paths = comparison.verdict === 'different' ? comparison.fields.map(({ path }) => path) : [];

  it('is one that may be ignored', async () => {
    expect(paths.length).toBeGreaterThan(12);
    const file = declared.kind === 'campaign' ? CAMPAIGN : BROADCAST;
    expect(await placesIn(`${file}    ignore: ${JSON.stringify(paths)}\n`)).toEqual([]);
  });

  it('makes no difference once it is ignored, and is still named', () => {
    const ignore = paths.map((path) => new FieldPath(path).steps.join('.'));
    // What no reply shows is not known to differ once a part of it is ignored.
    const shown = (comparison.verdict === 'different' ? comparison.fields : []).filter(
      ({ path }) => !path.startsWith('audience_filters['),
    );
    const ignoring = compare({ ...declared, ignore }, observed, known);
    expect(ignoring).toEqual({ verdict: 'equal', fields: [], unverifiable: [], ignored: shown });
  });

  it('makes no difference where its first word is ignored', () => {
    const ignore = [...new Set(paths.map((path) => new FieldPath(path).steps[0] ?? ''))];
    expect(compare({ ...declared, ignore }, observed, known).verdict).toBe('equal');
  });
});
