import { describe, expect, test } from 'vitest';
import { CAMPAIGN, declaredIn, messagesOf, placesIn } from './declare.ts';

const withRules = (rules: string): string =>
  CAMPAIGN.replace('    audience', `    rules: { ${rules} }\n    audience`);
const withFilters = (filters: string): string =>
  CAMPAIGN.replace('audience: everyone', `audience_filters: [${filters}]`);
const withMessage = (message: string): string => CAMPAIGN.replace('{ text: Hi }', `{ ${message} }`);
const named = (name: string): string => CAMPAIGN.replace('Hello', name);

// CONTENT-2
describe('names', () => {
  test.each([
    ['a leading space', '" Hello"', 'invalid-name'],
    ['a line break', '"Hel\\nlo"', 'invalid-name'],
    ['a control character', '"Hel\\x07lo"', 'invalid-name'],
    ['half a character', '"Hel\\ud83dlo"', 'invalid-name'],
    ['nothing visible', '"\\u200b"', 'invalid-name'],
    ['nothing but a space', '" "', 'invalid-name'],
    ['a variable', '"Hello {{first_name}}"', 'name-has-variable'],
    ['513 letters', 'x'.repeat(513), 'too-long'],
  ])('with %s are refused', async (_, name, code) => {
    expect(await placesIn(named(name))).toEqual([`a.yaml:3:11: ${code}`]);
  });

  test('with a trailing no-break space are refused, and the space is shown', async () => {
    expect(await placesIn(named('"Hello\u00A0"'))).toEqual([
      'a.yaml:3:11: invalid-name',
      'warning a.yaml:3:17: blank-character',
    ]);
  });

  test('of 512 letters, with emoji and inner spaces pass', async () => {
    expect(await placesIn(named('x'.repeat(512)))).toEqual([]);
    expect(await placesIn(named('Hello  👩‍💻 you ❤️'))).toEqual([]);
  });

  test('are composed, so that a letter is always one letter', async () => {
    const [declared] = await declaredIn({ 'campaigns/a.yaml': named('Cafe\u0301') });
    expect(declared?.address.name).toBe('Caf\u00E9');
  });
});

describe('trigger and action', () => {
  test('an unknown trigger is a warning', async () => {
    expect(await placesIn(CAMPAIGN.replace('welcome_message', 'expired'))).toEqual([
      'warning a.yaml:4:14: unknown-trigger',
    ]);
  });

  test('a trigger that is nearly known is suggested', async () => {
    const text = CAMPAIGN.replace('welcome_message', 'welcome_massage');
    expect(await messagesOf({ 'campaigns/a.yaml': text })).toContain('Did you mean "welcome_message"?');
  });

  test('sending needs a message', async () => {
    expect(await placesIn(CAMPAIGN.replace('    messages: [{ text: Hi }]\n', ''))).toEqual([
      'a.yaml:3:5: messages-missing',
    ]);
    expect(await placesIn(CAMPAIGN.replace('[{ text: Hi }]', '[]'))).toEqual([
      'a.yaml:7:5: messages-missing',
    ]);
  });

  test('an automated chat has no messages', async () => {
    const mimic = CAMPAIGN.replace('send_message', 'start_mimic');
    expect(await placesIn(mimic)).toEqual(['a.yaml:7:5: messages-not-allowed']);
    expect(await placesIn(mimic.replace('[{ text: Hi }]', '[]'))).toEqual([]);
    expect(await placesIn(mimic.replace('    messages: [{ text: Hi }]\n', ''))).toEqual([]);
  });
});

describe('rules', () => {
  test.each([
    // CAMPAIGN-3
    ['an expiry rule on a welcome', 'send_after_expire_min: 5', 'warning a.yaml:6:14: rule-without-trigger'],
    [
      'a rule before expiry on a welcome',
      'send_before_expire_min: 5',
      'warning a.yaml:6:14: rule-without-trigger',
    ],
    ['a retry without unsending', 'retry_after_unsend_min: 5', 'warning a.yaml:6:14: rule-without-unsend'],
    ['a zone without an end', 'end_at_timezone: Europe/Berlin', 'a.yaml:6:14: timezone-without-time'],
    ['an end without a zone', 'end_at: "2030-11-05T18:00"', 'a.yaml:6:22: timezone-missing'],
    // CAMPAIGN-5
    ['an end within an hour', 'end_at: "2030-11-05T18:30Z"', 'warning a.yaml:6:22: end-within-hour'],
  ])('%s is reported', async (_, rules, expected) => {
    expect(await placesIn(withRules(rules))).toEqual([expected]);
  });

  test.each([
    'retry_after_unsend_min: 5, unsend_delay_sec: 60',
    'retry_after_unsend_min: 5, unsend_if_not_read_enabled: true',
    'retry_after_unsend_min: 5, unsend_if_not_replied_enabled: true',
    'end_at: null',
    'end_at: "2030-11-05T18:00Z"',
    'end_at: "2030-11-05T18:00", end_at_timezone: Europe/Berlin',
  ])('{ %s } passes', async (rules) => {
    expect(await placesIn(withRules(rules))).toEqual([]);
  });
});

describe('the audience', () => {
  test.each([
    // CONTENT-15
    ['not said', CAMPAIGN.replace('    audience: everyone\n', ''), 'a.yaml:3:5: audience-missing'],
    ['an empty list', withFilters(''), 'a.yaml:6:5: audience-missing'],
    [
      'said twice',
      CAMPAIGN.replace(
        '    messages',
        '    audience_filters: [{ kind: purchased_from_organisation, mode: include }]\n    messages',
      ),
      'a.yaml:6:5: audience-twice',
    ],
    [
      'everyone next to an empty list',
      CAMPAIGN.replace('    messages', '    audience_filters: []\n    messages'),
      'a.yaml:6:5: audience-twice',
    ],
    [
      'only excluding',
      withFilters('{ kind: purchased_from_organisation, mode: exclude }'),
      'warning a.yaml:6:5: only-excludes',
    ],
    // CONTENT-16
    [
      'of an unknown kind',
      withFilters('{ kind: online, mode: include }'),
      'warning a.yaml:6:32: unknown-filter-kind',
    ],
    // CONTENT-18
    [
      'with days and dates in one filter',
      withFilters(
        '{ kind: subscribed_date, mode: include, options: { from_days: 3, to_at: "2030-01-01T00:00:00Z" } }',
      ),
      'a.yaml:6:64: range-twice',
    ],
    // CONTENT-18
    [
      'of dates, without options',
      withFilters('{ kind: subscribed_date, mode: include }'),
      'a.yaml:6:24: range-missing',
    ],
    [
      'of dates, with empty options',
      withFilters('{ kind: subscribed_date, mode: include, options: {} }'),
      'a.yaml:6:24: range-missing',
    ],
    [
      'of dates, with a fan list in place of a range',
      withFilters('{ kind: subscribed_date, mode: include, options: { lists: [{ name: VIP }] } }'),
      'a.yaml:6:24: range-missing',
    ],
    [
      'of dates, with a range and a fan list',
      withFilters(
        '{ kind: subscribed_date, mode: include, options: { from_days: 3, lists: [{ name: VIP }] } }',
      ),
      'warning a.yaml:6:96: list-with-dates',
    ],
    [
      'with a range of one instant, in two time zones',
      withFilters(
        '{ kind: subscribed_date, mode: include, options: { from_at: "2030-02-01T01:00:00+01:00", to_at: "2030-02-01T00:00:00Z" } }',
      ),
      'warning a.yaml:6:120: range-equal',
    ],
    [
      'with equal days',
      withFilters('{ kind: subscribed_date, mode: include, options: { from_days: 3, to_days: 3 } }'),
      'warning a.yaml:6:98: days-equal',
    ],
    [
      'that end before they begin',
      withFilters(
        '{ kind: subscribed_date, mode: include, options: { from_at: "2030-02-01T00:00:01Z", to_at: "2030-02-01T00:00:00Z" } }',
      ),
      'a.yaml:6:84: range-reversed',
    ],
    [
      'with days in the wrong order',
      withFilters('{ kind: subscribed_date, mode: include, options: { from_days: 0, to_days: 30 } }'),
      'warning a.yaml:6:86: days-reversed',
    ],
    [
      'with days that an import left open',
      withFilters("{ kind: subscribed_date, mode: include, options: { from_days: 'TODO: range in days' } }"),
      'warning a.yaml:6:86: days-to-write',
    ],
    [
      'with days in quotes',
      withFilters('{ kind: subscribed_date, mode: include, options: { from_days: "3" } }'),
      'a.yaml:6:86: invalid-value',
    ],
    [
      'with days that are empty',
      withFilters('{ kind: subscribed_date, mode: include, options: { from_days: } }'),
      'a.yaml:6:75: invalid-type',
    ],
    [
      'with a list without a name',
      withFilters('{ kind: subscribed_date, mode: include, options: { lists: [{ id: "7" }] } }'),
      'a.yaml:6:83: missing-key',
    ],
    [
      'with an empty set of lists',
      withFilters('{ kind: subscribed_date, mode: include, options: { lists: [] } }'),
      'a.yaml:6:82: empty-list',
    ],
  ])('%s is reported', async (_, text, expected) => {
    expect(await placesIn(text)).toEqual([expected]);
  });

  test.each([
    'from_days: 3650, to_days: 0',
    'from_at: "2030-01-01T00:00:00+02:00"',
    'from_at: "2029-01-01T00:00:00Z", to_at: "2030-01-01T00:00:00Z"',
  ])('{ %s } passes', async (options) => {
    expect(
      await placesIn(withFilters(`{ kind: subscribed_date, mode: include, options: { ${options} } }`)),
    ).toEqual([]);
  });
});

describe('messages', () => {
  test.each([
    // CONTENT-9
    ['nothing at all', 'delay_sec: 5', 'a.yaml:7:16: text-missing'],
    ['null and no attachment', 'text: null', 'a.yaml:7:24: text-missing'],
    ['only spaces', 'text: "  "', 'a.yaml:7:24: text-missing'],
    ['two texts', 'text: Hi, text_file: hi.md', 'a.yaml:7:28: text-twice'],
    // CONTENT-10
    [
      'paid media without a price',
      'attachments: [{ id: "5", type: image, is_paid: true }]',
      'a.yaml:7:56: paid-without-price',
    ],
    [
      'paid text at no price',
      'text: Hi, price_gross: 0, text_is_paid: true',
      'a.yaml:7:44: paid-without-price',
    ],
    // CONTENT-10
    [
      'a price with nothing to pay for',
      'text: Hi, price_gross: 5',
      'warning a.yaml:7:41: price-without-paid',
    ],
    ['a price in quotes', 'text: Hi, price_gross: "5"', 'a.yaml:7:41: invalid-type'],
    ['a negative price', 'text: Hi, price_gross: -5', 'a.yaml:7:41: invalid-price'],
    ['three decimals', 'text: Hi, text_is_paid: true, price_gross: 9.990', 'a.yaml:7:61: invalid-price'],
    [
      'a hair more than a price',
      'text: Hi, text_is_paid: true, price_gross: 9.990000001',
      'a.yaml:7:61: invalid-price',
    ],
    ['an exponent', 'text: Hi, text_is_paid: true, price_gross: 1e1', 'a.yaml:7:61: invalid-price'],
    ['a hexadecimal price', 'text: Hi, text_is_paid: true, price_gross: 0x10', 'a.yaml:7:61: invalid-price'],
    ['a plus sign', 'text: Hi, text_is_paid: true, price_gross: +5', 'a.yaml:7:61: invalid-price'],
    ['an infinite price', 'text: Hi, text_is_paid: true, price_gross: .inf', 'a.yaml:7:61: invalid-type'],
    ['no number as price', 'text: Hi, text_is_paid: true, price_gross: .nan', 'a.yaml:7:61: invalid-type'],
  ])('with %s are reported', async (_, message, expected) => {
    expect(await placesIn(withMessage(message))).toEqual([expected]);
  });

  test.each([
    'text: null, attachments: [{ id: "5", type: image }]',
    'attachments: [{ id: "0", type: image }]',
    'text: Hi, text_is_paid: true, price_gross: 10',
    'text: Hi, text_is_paid: true, price_gross: 9.9',
    'price_gross: 9.99, attachments: [{ id: "5", type: image, is_paid: true }]',
    'text: Hi, price_gross: 0',
    'text: Hi, price_gross: 0.00, text_is_paid: false',
    'text: Hi, tagged_platform_account_ids: ["9007199254740993123"]',
  ])('{ %s } passes', async (message) => {
    expect(await placesIn(withMessage(message))).toEqual([]);
  });

  test('behind an alias are checked by what is written there', async () => {
    const text = CAMPAIGN.replace(
      '[{ text: Hi }]',
      '[&paid { text: Hi, text_is_paid: true, price_gross: 1e1 }, *paid]',
    );
    expect(await placesIn(text)).toEqual(['a.yaml:7:67: invalid-price']);
  });
});

// CONTENT-2
test('a name must fit in UTF-16 units, so an emoji counts twice', async () => {
  expect(await placesIn(named('😀'.repeat(256)))).toEqual([]);
  expect(await placesIn(named('😀'.repeat(257)))).toEqual(['a.yaml:3:11: too-long']);
});

// CONTENT-8
test('the id of media may be any text without spaces', async () => {
  for (const id of ['m-55012', '0012', '12345678901234567890'])
    expect(
      await placesIn(CAMPAIGN.replace('text: Hi', `attachments: [{ id: "${id}", type: image }]`)),
    ).toEqual([]);
});
