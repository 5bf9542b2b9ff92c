import { describe, expect, it } from 'vitest';
import { fieldSteps, isWithin } from '../../src/domain/field-path.ts';
import { compare, NOTHING_ON_RECORD } from '../../src/plan/compare/content.ts';
import { isCompared } from '../../src/workspace/ignore.ts';
import { aBroadcast, aCampaign, aLiveBroadcast, aLiveCampaign } from '../helpers/resource-builders.ts';
import type { Declared, Observed } from '../../src/domain/resource.ts';

describe('a path of a field', () => {
  it('is read alike in brackets and with dots', () => {
    expect(fieldSteps('messages[0].text')).toEqual(['messages', '0', 'text']);
    expect(fieldSteps('messages.0.text')).toEqual(['messages', '0', 'text']);
    expect(fieldSteps('audience_filters[*].options.lists[2].name')).toEqual(
      fieldSteps('audience_filters.*.options.lists.2.name'),
    );
  });

  it.each([
    ['messages[3].text', 'messages.*.text', true],
    ['messages[3].text', 'messages.3.text', true],
    ['messages[3].text', 'messages', true],
    ['messages[3]', 'messages.*', true],
    ['rules.send_delay_interval.min_sec', 'rules.send_delay_interval', true],
    ['messages[3].text', 'messages.1.text', false],
    ['messages[3]', 'messages.*.text', false],
    ['messages.length', 'messages.*', false],
    ['rules.end_at', 'rules.end', false],
  ])('%s lies within %s: %s', (field, pattern, within) => {
    expect(isWithin(fieldSteps(field), fieldSteps(pattern))).toBe(within);
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

  it('is one that may be ignored', () => {
    expect(paths.length).toBeGreaterThan(12);
    expect(paths.filter((path) => !isCompared(declared.kind, path))).toEqual([]);
  });

  it('makes no difference once it is ignored, and is still named', () => {
    const ignore = paths.map((path) => fieldSteps(path).join('.'));
    // What no reply shows is not known to differ once a part of it is ignored.
    const shown = (comparison.verdict === 'different' ? comparison.fields : []).filter(
      ({ path }) => !path.startsWith('audience_filters['),
    );
    const ignoring = compare({ ...declared, ignore }, observed, known);
    expect(ignoring).toEqual({ verdict: 'equal', fields: [], unverifiable: [], ignored: shown });
  });

  it('makes no difference where its first word is ignored', () => {
    const ignore = [...new Set(paths.map((path) => fieldSteps(path)[0] ?? ''))];
    expect(compare({ ...declared, ignore }, observed, known).verdict).toBe('equal');
  });
});
