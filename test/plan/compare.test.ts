import { describe, expect, it } from 'vitest';
import type { DeclaredFilter, MediaFile } from '../../src/domain/content.ts';
import type { ObservedFilter } from '../../src/domain/replies.ts';
import {
  compare,
  digestHidden,
  NOTHING_ON_RECORD,
  NOTHING_SHOWN,
  type OnRecord,
} from '../../src/plan/compare/content.ts';
import { aBroadcast, aCampaign, aLiveBroadcast, aLiveCampaign } from '../helpers/resource-builders.ts';

/** `equal`, `unknowable`, or the paths that differ; after a ?, the paths that cannot be compared. */
function verdict(...args: Parameters<typeof compare>): string {
  const result = compare(...args);
  if (result.verdict === 'unknowable') return 'unknowable';
  const differ = result.verdict === 'different' ? result.fields.map(({ path }) => path) : ['equal'];
  return [...differ, ...result.unverifiable.map((path) => `?${path}`)].join(' ');
}

type Declared = NonNullable<Parameters<typeof aCampaign>[0]>;
type Live = NonNullable<Parameters<typeof aLiveCampaign>[0]>;

const campaign = (declared: Declared, live: Live, onRecord: Partial<OnRecord> = {}) =>
  verdict(aCampaign(declared), aLiveCampaign(live), { ...NOTHING_ON_RECORD, ...onRecord });

describe('a message', () => {
  const [text, price, paid] = ['messages[0].text', 'messages[0].price_gross', 'messages[0].text_is_paid'];
  const media = 'messages[0].attachments';
  const one = { id: '1', type: 'image' };
  const two = { id: '2', type: 'image' };

  it.each<[string, object, object, string]>([
    ['has the same price in cents (CONTENT-7)', { price_gross: 0.3 }, { price_gross: 0.1 + 0.2 }, 'equal'],
    ['without a price is free', {}, { price_gross: 0 }, 'equal'],
    ['without a price differs from one that costs', {}, { price_gross: 5 }, price],
    ['with a price differs from one without', { price_gross: 9.9 }, { price_gross: null }, price],
    ['has the same text in NFC and NFD (CONTENT-12)', { text: 'caf\u00e9' }, { text: 'cafe\u0301' }, 'equal'],
    ['has the same text with CRLF', { text: 'a\nb' }, { text: 'a\r\nb\r\n' }, 'equal'],
    ['has another text with a space', { text: 'a' }, { text: 'a ' }, text],
    ['has a text where the live one has none', {}, { text: null }, text],
    ['has a delay only if the file says so', {}, { delay_sec: 60 }, 'equal'],
    ['has the delay of the file', { delay_sec: 60 }, { delay_sec: 30 }, 'messages[0].delay_sec'],
    ['with a flag that a read leaves out is equal (CONTENT-21)', { text_is_paid: true }, {}, 'equal'],
    ['with another flag differs', { text_is_paid: true }, { text_is_paid: false }, paid],
    ['has its media in order', { attachments: [one, two] }, { attachments: [two, one] }, media],
    ['has no media if the file has none', {}, { attachments: [one] }, media],
    ['has media without a type', { attachments: [one] }, { attachments: [{ id: '1', type: null }] }, 'equal'],
    ['has no media for sale', { attachments: [one] }, { attachments: [{ ...one, is_paid: true }] }, media],
  ])('%s', (_, declared, live, expected) => {
    const messages = [{ text: 'Hey', ...declared }];
    expect(campaign({ messages }, { messages: [{ text: 'Hey', step: 0, ...live }] })).toBe(expected);
  });

  it('has its place by its step (CONTENT-8), and differs in what was added', () => {
    const messages = [{ text: 'one' }, { text: 'two' }];
    const live = messages.map((message, step) => ({ ...message, step })).toReversed();
    expect(campaign({ messages }, { messages: live })).toBe('equal');
    expect(campaign({ messages }, { messages: live.slice(1) })).toBe('messages.length messages[1].text');
  });
});

const [end, flag] = ['rules.end_at', 'mimic_on_reply_enabled'];
const noon = '2027-01-01T12:00:00Z';

it.each<[string, Declared['rules'], Live['rules'], string]>([
  ['counts only if the file says it (CONTENT-20)', {}, { unsend_delay_sec: 5, end_at: noon }, 'equal'],
  ['that is a missing flag is unknown (CONTENT-21)', { [flag]: true }, {}, 'equal'],
  ['that is another flag differs', { [flag]: true }, { [flag]: false }, `rules.${flag}`],
  ['that is a missing number differs', { unsend_delay_sec: 5 }, {}, 'rules.unsend_delay_sec'],
  ['that is an instant has no zone', { end_at: noon }, { end_at: '2027-01-01T13:00:00+01:00' }, 'equal'],
  ['that is another instant differs', { end_at: noon }, { end_at: '2027-01-01T12:00:00+01:00' }, end],
  ['that is null asks for nothing to be there', { end_at: null }, { end_at: noon }, end],
  ['cannot be compared without any live rules', { end_at: noon }, null, 'equal ?rules.end_at'],
])('a rule %s', (_, declared, live, expected) => {
  expect(campaign({ rules: declared }, { rules: live })).toBe(expected);
});

const filter = (options: DeclaredFilter['options'] = {}, mode: 'include' | 'exclude' = 'include') =>
  ({ kind: 'subscribed_date', mode, options }) satisfies DeclaredFilter;
const liveFilter = (options: ObservedFilter['options'] = {}, mode = 'include'): ObservedFilter => ({
  kind: 'subscribed_date',
  mode,
  options,
});
/** What the state knows after a create with these filters. */
const sent = (...audience_filters: DeclaredFilter[]) => ({
  hidden: digestHidden(aCampaign({ audience_filters })),
});

const [vip, fresh] = [filter({ lists: [{ name: 'VIP' }] }), filter({ lists: [{ name: 'New' }] })];
const seven = liveFilter({ lists: [{ id: '7' }] });
const pinned = filter({ lists: ['1', '2'].map((id) => ({ name: `list ${id}`, id })) });
const unpinned = liveFilter({ lists: [{ id: '2' }, { id: '1' }] });
const [days30, days31] = [filter({ from_days: 30 }), filter({ from_days: 31 })];
const none = filter({}, 'exclude');
const liveNone = liveFilter({}, 'exclude');
const readBackEight = { ...sent(vip), shown: { ...NOTHING_SHOWN, lists: ['8'] } };
const oldDigest = { hidden: '0:a:b' };
const may = '2026-05-01T00:00:00Z';
const [all, days] = ['audience_filters', 'audience_filters[0].options.from_days'];
const name = 'audience_filters[0].options.lists[0].name';

// CONTENT-19: the first three.
it.each<[string, DeclaredFilter[], ObservedFilter[] | null, string, Partial<OnRecord>?]>([
  ['has filters in any order', [filter(), none], [liveNone, liveFilter()], 'equal', sent(none, filter())],
  ['has one filter twice, not another one', [filter(), filter()], [liveFilter(), liveNone], all],
  ['has one filter once, not twice', [filter()], [liveFilter(), liveFilter()], all],
  ['of everyone is not one filter', [], [liveFilter()], all],
  ['that a read leaves out is unknown', [filter()], null, `equal ?${all}`],
  ['has lists by id in any order (CONTENT-17)', [pinned], [unpinned], 'equal', sent(pinned)],
  ['has another list', [pinned], [liveFilter({ lists: [{ id: '1' }, { id: '3' }] })], all],
  ['has lists with names that no read shows', [vip], [seven], `equal ?${all}`],
  ['has the list name that was sent', [vip], [seven], 'equal', sent(vip)],
  ['has another list name than the one sent', [vip], [seven], name, sent(fresh)],
  ['has another list than the one that was read back', [vip], [seven], all, readBackEight],
  ['has days that no read shows (CONTENT-18)', [days30], [liveFilter()], `equal ?${all}`],
  ['has the days that were sent', [days30], [liveFilter({ from_at: may })], 'equal', sent(days30)],
  ['has other days than those sent', [days30], [liveFilter()], days, sent(days31)],
  ['has days in a digest of another version', [days30], [liveFilter()], `equal ?${all}`, oldDigest],
  ['has no days any more', [filter()], [liveFilter()], all, sent(days30)],
  ['has a date that is another instant', [filter({ from_at: may })], [liveFilter()], all],
])('an audience %s', (_, audience_filters, live, expected, onRecord) => {
  expect(campaign({ audience_filters }, { audience_filters: live }, onRecord)).toBe(expected);
});

const file: MediaFile = { path: 'a', name: 'a', size: 5, content_type: 'image/png', digest: 'sha256:aa' };
const uploaded = (digest: string) => ({ media: new Map([['101/7', [{ digest }]]]) });
const asSent = (media: Record<string, string>) => ({ shown: { ...NOTHING_SHOWN, media } });

it.each<[string, Partial<OnRecord>, string]>([
  ['was uploaded from its bytes', uploaded('sha256:aa'), 'equal'],
  ['was uploaded from other bytes', uploaded('sha256:bb'), 'messages[0].attachments'],
  ['was sent for its bytes', asSent({ 7: 'sha256:aa' }), 'equal'],
  ['was sent under another id', asSent({ 6: 'sha256:aa' }), 'messages[0].attachments'],
  ['is not known', {}, 'equal ?messages[0].attachments[0].file'],
])('media from a file %s', (_, onRecord, expected) => {
  const declared = { messages: [{ text: 'Hey', attachments: [{ file, type: 'image' }] }] };
  const live = { messages: [{ step: 0, text: 'Hey', attachments: [{ id: '7', type: 'image' }] }] };
  expect(campaign(declared, live, onRecord)).toBe(expected);
});

it.each<[string, string | null, string]>([
  ['in another zone is equal (BROADCAST-13)', '2026-06-01T20:00:00+02:00', 'equal'],
  ['at another instant differs', '2026-06-01T19:00:00Z', 'scheduled_at'],
  ['that is missing has left, and does not differ (BROADCAST-11)', null, 'equal'],
])('an hour %s', (_, scheduled_at, expected) => {
  const live = aLiveBroadcast({ scheduled_at, scheduled_at_timezone: 'Europe/Berlin' });
  expect(verdict(aBroadcast(), live)).toBe(expected);
});

it('what cannot be read is unknowable: no action, trigger or message', () => {
  for (const live of [{ action: null }, { trigger: null }, { messages: [] }, { messages: null }])
    expect(campaign({}, live)).toBe('unknowable');
  expect(verdict(aBroadcast(), aLiveBroadcast({ messages: [] }))).toBe('unknowable');
  const mimic = { action: 'start_mimic' } as const;
  expect(campaign({ ...mimic, messages: [] }, { ...mimic, messages: [] })).toBe('equal');
});
