import { describe, expect, test } from 'vitest';
import type { ListColumn } from '../../src/domain/list-column.ts';
import { cellText, formatTime, formatTimesIn, formatValue } from '../../src/render/values.ts';

describe('a time', () => {
  test.each([
    ['2026-12-06T17:00:00Z', 'Europe/Berlin', 'Sun 6 Dec 2026 18:00 Europe/Berlin (17:00 UTC)'],
    ['2026-06-06T17:00:00.000Z', 'Europe/Berlin', 'Sat 6 Jun 2026 19:00 Europe/Berlin (17:00 UTC)'],
    // The day in UTC is another one.
    ['2026-12-31T23:00:00Z', 'Asia/Tokyo', 'Fri 1 Jan 2027 08:00 Asia/Tokyo (Thu 31 Dec 2026 23:00 UTC)'],
    ['2026-12-06T00:00:00Z', null, 'Sun 6 Dec 2026 00:00 UTC'],
    ['2026-12-06T17:00:09.123Z', 'UTC', 'Sun 6 Dec 2026 17:00:09 UTC'],
  ])('%s in the zone %s is %s', (text, zone, words) => expect(formatTime(text, zone)).toBe(words));

  test.each(['2026-12-06', '2026-12-06T17:00', '2026-12-06T17:00:00+01:00', '2026-99-06T17:00:00Z', ''])(
    'is nothing else: %s',
    (text) => expect(formatTime(text, null)).toBeNull(),
  );

  test('in a sentence is replaced, but not in quotes, in a command or in an address', () => {
    expect(formatTimesIn('It goes out at 2026-12-06T17:00:00Z.', null)).toBe(
      'It goes out at Sun 6 Dec 2026 17:00 UTC.',
    );
    for (const text of [
      'Write "2026-12-06T17:00:00Z".',
      'herald history --from=2026-12-06T17:00:00Z',
      'alice/campaign/2026-12-06T17:00:00Z',
    ])
      expect(formatTimesIn(text, null)).toBe(text);
  });
});

describe('a value', () => {
  test.each([
    ['messages[0].price_gross', 24.99, '$24.99'],
    ['messages[0].price_gross', 14.5, '$14.50'],
    ['messages[0].price_gross', 0.125, '$0.125'],
    ['messages[1].delay_sec', 0, '0 s'],
    ['messages[1].delay_sec', 90, '90 s'],
    ['messages[1].delay_sec', 150, '2 min 30 s'],
    ['messages[1].delay_sec', 3_600, '1 h'],
    ['messages[1].delay_sec', 172_800, '2 days'],
    ['messages[1].delay_sec', 90_061, '1 day 1 h 1 min 1 s'],
    ['rules.send_delay_interval', { min_sec: 30, range_sec: 60 }, '30-90 s'],
    ['rules.send_delay_interval', { min_sec: 120, range_sec: 180 }, '2-5 min'],
    ['rules.send_delay_interval', { min_sec: 3_600, range_sec: 3_600 }, '1-2 h'],
    ['rules.send_delay_interval', { min_sec: 30, range_sec: 0 }, '30 s'],
    ['rules.send_delay_interval', { min_sec: 30 }, '30 s'],
    ['rules.retry_after_unsend_min', 120, '2 h'],
    ['trigger', 'welcome_message', 'welcome_message'],
    ['audience_filters', ['include a', 'exclude b'], 'include a\nexclude b'],
    ['audience_filters', [{ kind: 'a' }], '{"kind":"a"}'],
    // An empty list would read as no one.
    ['audience_filters', [], 'everyone'],
    [
      'audience',
      'include subscribed_date from_at=2026-05-01T00:00:00Z',
      'include subscribed_date from_at=Fri 1 May 2026 00:00 UTC',
    ],
  ])('%s is in the words of people', (path, value, words) =>
    expect(formatValue(path, value, null)).toBe(words),
  );

  test.each([
    ['messages[0].price_gross', '24.99'],
    ['messages[1].delay_sec', -1],
    ['messages[1].delay_sec', 1.5],
    ['rules.send_delay_interval', { min_sec: 30, range_sec: 60, more: 1 }],
    ['rules.end_at', 'tomorrow'],
    ['messages[0].text', '2026-12-06T17:00:00Z'],
    ['constructor', 1],
  ])('%s of an unexpected form is shown as it is', (path, value) =>
    expect(formatValue(path, value, null)).toBeNull(),
  );
});

const BIG = 9_007_199_254_740_993_123n;
const text = (value: unknown, column: Partial<ListColumn> = {}) => cellText(value, { path: 'x', ...column });

describe('a cell', () => {
  // READ-7
  test.each<[unknown, ListColumn['as'], string]>([
    ['plain', 'text', 'plain'],
    [null, 'text', 'n/a'],
    [undefined, 'money', 'n/a'],
    [12, 'money', '12.00'],
    [0.1 + 0.2, 'money', '0.30'],
    [1.005, 'money', '1.005'],
    ['twelve', 'money', 'twelve'],
    [BIG, 'money', '9007199254740993123'],
    [BIG, 'text', '9007199254740993123'],
    ['2026-11-01T08:00:00.000+02:00', 'instant', '2026-11-01T06:00:00Z'],
    ['2026-11-01T06:00:00.120Z', 'instant', '2026-11-01T06:00:00Z'],
    ['2026-11-01', 'instant', '2026-11-01'],
    ['2026-99-01T06:00:00Z', 'instant', '2026-99-01T06:00:00Z'],
    [1_700_000_000, 'instant', '1700000000'],
    [true, 'flag', 'yes'],
    [false, 'flag', 'no'],
    ['maybe', 'flag', 'maybe'],
    [0.35, 'number', '0.35'],
    [['1', '2'], 'text', '1, 2'],
    [{ id: BIG }, 'text', '{"id":9007199254740993123}'],
    [[], 'audience', 'everyone'],
    ['all', 'audience', 'all'],
  ])('%s as %s is %s', (value, as = 'text', expected) => {
    expect(text(value, { as })).toBe(expected);
  });

  // READ-5
  test('says what null and zero stand for where they are not figures', () => {
    expect(text(null, { as: 'instant', none: 'never' })).toBe('never');
    expect(text(0, { as: 'number', zero: 'no limit' })).toBe('no limit');
    expect(text(0, { as: 'number' })).toBe('0');
  });

  test('shows whom filters reach, and what the service does not say', () => {
    const filters = [
      { kind: 'subscribed_date', mode: 'include', options: { from_at: '2026-05-01T00:00:00Z', to_at: null } },
      { kind: 'fan_lists', mode: 'exclude', options: { lists: [{ id: '7' }, { id: '8' }], other: 3 } },
      { kind: null, mode: 'include', options: {} },
      'odd',
    ];
    expect(text(filters, { as: 'audience' })).toBe(
      'include subscribed_date from 2026-05-01T00:00:00Z; exclude fan_lists in list 7 + list 8 other 3; ' +
        'include unnamed kind (the service returns no more); "odd"',
    );
  });
});
