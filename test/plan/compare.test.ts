import { describe, expect, it } from 'vitest';
import type { KnownObject } from '../../src/domain/knowledge.ts';
import { compare } from '../../src/plan/compare/compare.ts';
import { shown } from '../../src/plan/compare/normalise.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  knowing,
} from '../helpers/resource-builders.ts';

type CampaignParts = NonNullable<Parameters<typeof aCampaign>[0]>;
type LiveParts = NonNullable<Parameters<typeof aLiveCampaign>[0]>;

/** `equal`, `unknowable`, or the paths that differ. */
function verdictOf(declared: CampaignParts, live: LiveParts, known: KnownParts = null): unknown {
  return verdict(compare(aCampaign(declared), aLiveCampaign(live), knownOf(known)));
}

function fieldsOf(declared: CampaignParts, live: LiveParts) {
  const comparison = compare(aCampaign(declared), aLiveCampaign(live), null);
  return comparison.verdict === 'different' ? comparison.fields : [];
}

type KnownParts = Partial<KnownObject> | null;

function knownOf(parts: KnownParts) {
  if (parts === null) return null;
  return [...knowing({ campaigns: [{ id: '1', ...parts }] }).objects.values()][0] ?? null;
}

function verdict(comparison: ReturnType<typeof compare>): unknown {
  return comparison.verdict === 'different' ? comparison.fields.map(({ path }) => path) : comparison.verdict;
}

const message = (parts: object) => ({ messages: [{ text: 'Hey', ...parts }] });

// CONTENT-7
describe('money', () => {
  it.each([
    [9.9, 9.9, 'equal'],
    [9.9, 9.900000001, 'equal'],
    [0.3, 0.1 + 0.2, 'equal'],
    [undefined, 0, 'equal'],
    [undefined, null, 'equal'],
    [0, undefined, 'equal'],
    [9.9, 9.91, ['messages[0].price_gross']],
    [9.9, null, ['messages[0].price_gross']],
    [undefined, 5, ['messages[0].price_gross']],
  ])('declared %s, live %s: %j', (declared, live, expected) => {
    const wanted = declared === undefined ? message({}) : message({ price_gross: declared });
    expect(verdictOf(wanted, message({ price_gross: live }))).toEqual(expected);
  });
});

// CONTENT-12
describe('text', () => {
  it.each([
    ['composed and decomposed letters', 'caf\u00e9', 'cafe\u0301', 'equal'],
    ['CRLF and LF', 'a\nb', 'a\r\nb', 'equal'],
    ['trailing line breaks', 'a', 'a\n\n', 'equal'],
    ['trailing spaces', 'a', 'a ', ['messages[0].text']],
    ['inner line breaks', 'a b', 'a\nb', ['messages[0].text']],
    ['leading line breaks', 'a', '\na', ['messages[0].text']],
    ['case', 'a', 'A', ['messages[0].text']],
    ['nothing live', 'a', null, ['messages[0].text']],
  ])('%s', (_, declared, live, expected) => {
    expect(verdictOf(message({ text: declared }), message({ text: live }))).toEqual(expected);
  });

  // CONTENT-9
  it('null, empty and missing are one next to an attachment', () => {
    const attachments = [{ id: '5', type: 'image' }];
    for (const text of [null, '', undefined])
      expect(verdictOf(message({ text: null, attachments }), message({ text, attachments }))).toBe('equal');
  });
});

describe('rules', () => {
  const rules = (declared: CampaignParts['rules'], live: LiveParts['rules']) =>
    verdictOf({ rules: declared }, { rules: live });

  it.each([
    // CONTENT-20
    [
      'what is not declared is not compared',
      {},
      { unsend_delay_sec: 5, end_at: '2027-01-01T00:00:00Z' },
      'equal',
    ],
    // CONTENT-21
    ['a missing boolean is unknown', { mimic_on_reply_enabled: true }, {}, 'equal'],
    [
      'a contrary boolean differs',
      { mimic_on_reply_enabled: true },
      { mimic_on_reply_enabled: false },
      ['rules.mimic_on_reply_enabled'],
    ],
    ['a missing number differs', { unsend_delay_sec: 5 }, {}, ['rules.unsend_delay_sec']],
    ['null asks for absence', { end_at: null }, {}, 'equal'],
    ['null next to a value differs', { end_at: null }, { end_at: '2027-01-01T00:00:00Z' }, ['rules.end_at']],
    [
      'instants are instants',
      { end_at: '2027-01-01T00:00:00Z' },
      { end_at: '2027-01-01T01:00:00+01:00' },
      'equal',
    ],
    [
      'another instant differs',
      { end_at: '2027-01-01T00:00:00Z' },
      { end_at: '2027-01-01T00:00:00+01:00' },
      ['rules.end_at'],
    ],
    [
      'only declared members of an object',
      { send_delay_interval: { min_sec: 30 } },
      { send_delay_interval: { min_sec: 30, range_sec: 60 } },
      'equal',
    ],
    ['a missing object', { send_delay_interval: { min_sec: 30 } }, {}, ['rules.send_delay_interval.min_sec']],
  ])('%s', (_, declared, live, expected) => {
    expect(rules(declared, live)).toEqual(expected);
  });

  it.each([null, undefined])('that are %s as a whole are unverifiable, not drift', (live) => {
    const declared = aCampaign({ rules: { unsend_delay_sec: 5, end_at: null } });
    const { live: reply, ...observed } = aLiveCampaign();
    expect(compare(declared, { ...observed, live: { ...reply, rules: live } }, null)).toEqual({
      verdict: 'equal',
      unverifiable: ['rules.unsend_delay_sec'],
      ignored: [],
    });
  });
});

describe('messages', () => {
  const two = { messages: [{ text: 'one' }, { text: 'two' }] };

  // CONTENT-8
  it('follow their steps, not the order of the reply', () => {
    expect(
      verdictOf(two, {
        messages: [
          { step: 1, text: 'two' },
          { step: 0, text: 'one' },
        ],
      }),
    ).toBe('equal');
  });

  it('keep the order of the reply when a step is missing', () => {
    expect(verdictOf(two, { messages: [{ step: 1, text: 'one' }, { text: 'two' }] })).toBe('equal');
  });

  it('differ in number, named with what was added or lost', () => {
    expect(verdictOf(two, { messages: [{ text: 'one' }] })).toEqual(['messages.length', 'messages[1].text']);
    expect(verdictOf(message({}), { messages: [{ text: 'Hey' }, { text: 'more' }] })).toEqual([
      'messages.length',
      'messages[1].text',
    ]);
  });

  it('that are added are shown with their price, media, delay and tags', () => {
    const added = {
      text: 'More',
      price_gross: 24.99,
      delay_sec: 3600,
      attachments: [{ id: '55012', type: 'image', is_paid: true }],
      text_is_paid: true,
      tagged_platform_account_ids: ['7'],
    };
    expect(fieldsOf({ messages: [{ text: 'Hey' }, added] }, { messages: [{ text: 'Hey' }] })).toEqual([
      { path: 'messages.length', old: 1, new: 2 },
      { path: 'messages[1].text', old: null, new: 'More' },
      { path: 'messages[1].price_gross', old: null, new: 24.99 },
      { path: 'messages[1].delay_sec', old: null, new: 3600 },
      { path: 'messages[1].attachments', old: null, new: '55012 (paid)' },
      { path: 'messages[1].text_is_paid', old: null, new: true },
      { path: 'messages[1].tagged_platform_account_ids', old: null, new: ['7'] },
    ]);
  });

  it('that are removed are shown with what they cost and showed, without the defaults of a reply', () => {
    const gone = { step: 1, text: 'More', price_gross: 5, delay_sec: 60, attachments: [{ id: '5' }] };
    const plain = { ...gone, price_gross: 0, delay_sec: 0, attachments: [], text_is_paid: false };
    expect(fieldsOf(message({}), { messages: [{ step: 0, text: 'Hey' }, gone] }).slice(1)).toEqual([
      { path: 'messages[1].text', old: 'More', new: null },
      { path: 'messages[1].price_gross', old: 5, new: null },
      { path: 'messages[1].delay_sec', old: 60, new: null },
      { path: 'messages[1].attachments', old: '5', new: null },
    ]);
    expect(fieldsOf(message({}), { messages: [{ step: 0, text: 'Hey' }, plain] }).slice(1)).toEqual([
      { path: 'messages[1].text', old: 'More', new: null },
    ]);
    expect(fieldsOf(message({}), { messages: [{ text: 'Hey' }, { text: '' }] }).slice(1)).toEqual([
      { path: 'messages[1]', old: '(empty)', new: null },
    ]);
  });

  it('are shown when an automated chat takes their place', () => {
    const mimic = { action: 'start_mimic', messages: [] } as const;
    expect(verdictOf(mimic, message({}))).toEqual(['action', 'messages.length', 'messages[0].text']);
    expect(verdictOf(mimic, { ...mimic, ...message({}) })).toBe('equal');
  });

  it('with media of another type name both types', () => {
    const media = (type: string) => message({ attachments: [{ id: '5', type }] });
    expect(fieldsOf(media('video'), media('image'))).toEqual([
      { path: 'messages[0].attachments', old: '5 image', new: '5 video' },
    ]);
  });

  it.each([
    ['a declared delay', { delay_sec: 60 }, { delay_sec: 30 }, ['messages[0].delay_sec']],
    ['a delay of nothing', { delay_sec: 0 }, { delay_sec: null }, 'equal'],
    ['paid text', { text_is_paid: true }, { text_is_paid: false }, ['messages[0].text_is_paid']],
    ['paid text that the reply leaves out', { text_is_paid: true }, {}, 'equal'],
    [
      'tags in another order',
      { tagged_platform_account_ids: ['2', '1'] },
      { tagged_platform_account_ids: ['1', '2'] },
      'equal',
    ],
    [
      'other tags',
      { tagged_platform_account_ids: ['1'] },
      { tagged_platform_account_ids: ['1', '2'] },
      ['messages[0].tagged_platform_account_ids'],
    ],
    ['tags that are not declared', {}, { tagged_platform_account_ids: ['1'] }, 'equal'],
    [
      'attachments swapped',
      {
        attachments: [
          { id: '1', type: 'image' },
          { id: '2', type: 'image' },
        ],
      },
      { attachments: [{ id: '2' }, { id: '1' }] },
      ['messages[0].attachments'],
    ],
    [
      'an attachment of a type that is not shown',
      { attachments: [{ id: '1', type: 'image' }] },
      { attachments: [{ id: '1', type: null }] },
      'equal',
    ],
    [
      'an attachment of another type',
      { attachments: [{ id: '1', type: 'image' }] },
      { attachments: [{ id: '1', type: 'video' }] },
      ['messages[0].attachments'],
    ],
    [
      'an attachment paid only live',
      { attachments: [{ id: '1', type: 'image' }] },
      { attachments: [{ id: '1', is_paid: true }] },
      ['messages[0].attachments'],
    ],
    ['an attachment removed from the files', {}, { attachments: [{ id: '1' }] }, ['messages[0].attachments']],
  ])('%s', (_, declared, live, expected) => {
    expect(verdictOf(message(declared), message(live))).toEqual(expected);
  });
});

describe('what cannot be compared', () => {
  it.each([
    // CAMPAIGN-4
    ['no action', { action: null }],
    ['no trigger', { trigger: null }],
    ['no messages on one that sends them', { messages: [] }],
    ['messages that are null', { messages: null }],
  ])('a campaign with %s', (_, live) => {
    expect(verdictOf({}, live)).toBe('unknowable');
  });

  it('is not an automated chat, which has no messages', () => {
    for (const messages of [[], null])
      expect(verdictOf({ action: 'start_mimic', messages: [] }, { action: 'start_mimic', messages })).toBe(
        'equal',
      );
  });

  // BROADCAST-23
  it.each([[[]], [null]])('a broadcast with messages %j', (messages) => {
    expect(compare(aBroadcast(), aLiveBroadcast({ messages }), null).verdict).toBe('unknowable');
  });
});

describe('a schedule', () => {
  const scheduled = (scheduled_at: string | null, zone: string | null = 'UTC') =>
    verdict(compare(aBroadcast(), aLiveBroadcast({ scheduled_at, scheduled_at_timezone: zone }), null));

  // BROADCAST-13
  it('is one instant in every zone', () => {
    expect(scheduled('2026-06-01T18:00:00Z', 'Europe/Berlin')).toBe('equal');
    expect(scheduled('2026-06-01T20:00:00+02:00')).toBe('equal');
  });

  it('at another instant differs', () => {
    expect(scheduled('2026-06-01T19:00:00Z')).toEqual(['scheduled_at']);
  });

  // BROADCAST-11
  it('that is null has left and is not drift: taken for one, everyone would get it twice', () => {
    expect(scheduled(null, null)).toBe('equal');
  });
});

describe('a value that the service rewrote', () => {
  const rewrites = [{ path: 'messages[0].text', sent: shown('Hey'), got: shown('Hey.') }];

  // CONTENT-23
  it('is not drift while both stay', () => {
    expect(verdictOf(message({}), message({ text: 'Hey.' }), { rewrites })).toBe('equal');
  });

  it('is drift when the files or the service say something new', () => {
    expect(verdictOf(message({ text: 'Ho' }), message({ text: 'Hey.' }), { rewrites })).toEqual([
      'messages[0].text',
    ]);
    expect(verdictOf(message({}), message({ text: 'Ho' }), { rewrites })).toEqual(['messages[0].text']);
  });
});
