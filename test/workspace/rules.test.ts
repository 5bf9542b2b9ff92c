import { describe, expect, test } from 'vitest';
import { BROADCAST, CAMPAIGN, CAMPAIGN_WITH, declaredIn, diagnose, placesIn, rowsOf } from './declare.ts';

/** Places in the file, and what is reported there. */
const reported = async (text: string) =>
  (await placesIn(text)).map((line) => line.replace('a.yaml:', '')).join(', ');

const TIME = 'scheduled_at: "2030-11-05T18:00Z"';
const at = (time: string) => BROADCAST.replace(TIME, time.replace(' / ', '\n    '));
const withEnd = (end: string) =>
  BROADCAST.replace('    audience', `    rules: { end_at: ${end} }\n    audience`);

// CONTENT-2
describe('a name', () => {
  test.each(
    rowsOf(String.raw`
      " Hello" → 3:11: invalid-name
      "Hel\nlo" → 3:11: invalid-name
      "Hel\x07lo" → 3:11: invalid-name
      "Hel\ud83dlo" → 3:11: invalid-name
      "\u200b" → 3:11: invalid-name
      " " → 3:11: invalid-name
      "Hello\u00A0" → 3:11: blank-character, 3:11: invalid-name
      "Hello {{first_name}}" → 3:11: name-has-variable
      Hello  👩‍💻 you ❤️ →
    `),
  )('%s: %s', async (name, expected) => {
    expect((await reported(CAMPAIGN_WITH.name(name))).replace('warning ', '')).toBe(expected);
  });

  test('has up to 512 UTF-16 units, so an emoji counts twice', async () => {
    expect(await reported(CAMPAIGN_WITH.name('x'.repeat(512)))).toBe('');
    expect(await reported(CAMPAIGN_WITH.name('x'.repeat(513)))).toBe('3:11: too-long');
    expect(await reported(CAMPAIGN_WITH.name('😀'.repeat(256)))).toBe('');
    expect(await reported(CAMPAIGN_WITH.name('😀'.repeat(257)))).toBe('3:11: too-long');
    expect(await reported(BROADCAST.replace('News', 'x'.repeat(101)))).toBe('3:11: too-long');
  });

  test('is composed, so that a letter is always one letter', async () => {
    const [declared] = await declaredIn({ 'campaigns/a.yaml': CAMPAIGN_WITH.name('Cafe\u0301') });
    expect(declared?.address.name).toBe('Caf\u00E9');
  });
});

test('an action that sends needs a message, and an automated chat has none', async () => {
  const silent = CAMPAIGN.replace('    messages: [{ text: Hi }]\n', '');
  expect(await reported(silent)).toBe('3:5: messages-missing');
  expect(await reported(CAMPAIGN.replace('[{ text: Hi }]', '[]'))).toBe('7:5: messages-missing');
  expect(await reported(BROADCAST.replace('[{ text: Hi }]', '[]'))).toBe('6:5: messages-missing');
  expect(await reported(CAMPAIGN.replace('send_message', 'start_mimic'))).toBe('7:5: messages-not-allowed');
  expect(await reported(silent.replace('send_message', 'start_mimic'))).toBe('');
});

test.each(
  rowsOf(`
    end_at_timezone: Europe/Berlin → 6:14: timezone-without-time
    end_at: "2030-11-05T18:00" → 6:22: timezone-missing
    end_at: "2030-11-05T18:30Z" →
    end_at: null →
    end_at: "2030-11-05T18:00", end_at_timezone: Europe/Berlin →
  `),
)('rules { %s }: %s', async (rules, expected) => {
  expect(await reported(CAMPAIGN_WITH.rules(rules))).toBe(expected);
});

describe('the audience', () => {
  // CONTENT-15
  test.each([
    [CAMPAIGN.replace('    audience: everyone\n', ''), '3:5: audience-missing'],
    [BROADCAST.replace('    audience: everyone\n', ''), '3:5: audience-missing'],
    [CAMPAIGN.replace('audience: everyone', 'audience_filters: []'), '6:5: audience-missing'],
    [CAMPAIGN.replace('    messages', '    audience_filters: []\n    messages'), '6:5: audience-twice'],
  ])('is declared once (%#)', async (text, expected) => {
    expect(await reported(text)).toBe(expected);
  });

  // CONTENT-16, CONTENT-18
  test.each(
    rowsOf(`
      kind: purchased_from_organisation, mode: exclude → warning 6:5: only-excludes
      kind: subscribed_date, mode: include → 6:24: range-missing
      kind: subscribed_date, mode: include, options: {} → 6:24: range-missing
      kind: subscribed_date, mode: include, options: { lists: [{ name: VIP }] } → 6:24: range-missing
    `),
  )('{ %s }: %s', async (filter, expected) => {
    expect(await reported(CAMPAIGN_WITH.filter(filter))).toBe(expected);
  });

  // CONTENT-18
  test.each(
    rowsOf(`
      from_days: 3, to_at: "2030-01-01T00:00:00Z" → 6:64: range-twice
      from_at: "2030-02-01T00:00:01Z", to_at: "2030-02-01T00:00:00Z" → 6:84: range-reversed
      from_days: 0, to_days: 30 → warning 6:86: days-reversed
      from_days: 'TODO: range in days' →
      from_days: "3" → 6:86: invalid-value
      from_days: → 6:75: invalid-type
      lists: [{ id: "7" }] → 6:83: missing-key
      lists: [] → 6:82: empty-list
      lists: [{ name: A, id: 7 }] → 6:98: unquoted-id
      from_days: 3651 → 6:86: invalid-value
      from_at: "2030-01-01" → 6:84: invalid-date-time
      from_days: 3650, to_days: 0 →
      from_at: "2030-01-01T00:00:00+02:00" →
      from_at: "2029-01-01T00:00:00Z", to_at: "2030-01-01T00:00:00Z" →
    `),
  )('options { %s }: %s', async (options, expected) => {
    const filter = `kind: subscribed_date, mode: include, options: { ${options} }`;
    expect(await reported(CAMPAIGN_WITH.filter(filter))).toBe(expected);
  });
});

// CONTENT-8, CONTENT-9, CONTENT-10, CONTENT-22
test.each(
  rowsOf(`
    delay_sec: 5 → 7:16: text-missing
    text: null → 7:24: text-missing
    text: "  " → 7:24: text-missing
    text: Hi, text_file: hi.md → 7:28: text-twice
    attachments: [{ id: "5", type: image, is_paid: true }] → 7:56: paid-without-price
    text: Hi, price_gross: 0, text_is_paid: true → 7:44: paid-without-price
    text: Hi, price_gross: 5 → warning 7:41: price-without-paid
    text: Hi, price_gross: -5 → 7:41: invalid-price
    text: Hi, text_is_paid: true, price_gross: 9.995 → 7:61: invalid-price
    text: Hi, text_is_paid: true, price_gross: 9.990000001 → 7:61: invalid-price
    text: Hi, text_is_paid: true, price_gross: 1e21 → 7:61: invalid-type
    text: Hi, text_is_paid: true, price_gross: .inf → 7:61: invalid-type
    text: Hi, text_is_paid: true, price_gross: .nan → 7:61: invalid-type
    text: Hi, delay_sec: -1 → 7:39: invalid-value
    text: Hi, delay_sec: 1.5 → 7:39: invalid-type
    text: Hi, delay_sec: 2147483648 → 7:39: invalid-value
    text: Hi, delay_sec: 99999999999999999999 → 7:39: invalid-value
    attachments: [{ id: 9007199254740993123, type: image }] → 7:38: unquoted-id
    attachments: [{ id: "a b", type: image }] → 7:38: invalid-id
    attachments: [{ id: "5" }] → 7:32: missing-key
    attachments: [{ file: a.jpg, type: image }] → 7:47: unknown-key
    attachments: [{ id: "5", type: image, fan: "https://x/y" }] → 7:56: unknown-key
    text: Hi, tagged_platform_account_ids: [abc] → 7:58: invalid-id
    text: Hi, tagged_platform_account_ids: [7] → 7:58: unquoted-id
    text: Hi, tagged_platform_account_ids: ["10000000000000000000"] → 7:58: invalid-id
    text: null, attachments: [{ id: "m-5", type: image }] →
    attachments: [{ id: "0012", type: image }] →
    text: Hi, text_is_paid: true, price_gross: 9.9 →
    price_gross: 9.99, attachments: [{ id: "5", type: image, is_paid: true }] →
    text: Hi, price_gross: 0.00, text_is_paid: false →
    text: Hi, tagged_platform_account_ids: ["9007199254740993123"] →
  `),
)('a message { %s }: %s', async (message, expected) => {
  expect(await reported(CAMPAIGN_WITH.message(message))).toBe(expected);
});

describe('a broadcast', () => {
  // BROADCAST-3
  test('needs a schedule, because it would leave at once', async () => {
    expect(await reported(BROADCAST.replace(`    ${TIME}\n`, ''))).toBe('3:5: schedule-missing');
  });

  // BROADCAST-5
  test.each(
    rowsOf(`
      scheduled_at: null → 4:19: invalid-type
      scheduled_at: 2030-11-05T18:30Z → 4:19: not-whole-hour
      scheduled_at: 2030-11-05T18:00:00.001Z → 4:19: not-whole-hour
      scheduled_at: 2030-11-05T18:10 / scheduled_at_timezone: Asia/Kolkata → 4:19: not-whole-hour
      scheduled_at: 2030-11-05T18:00:00.000 / scheduled_at_timezone: Asia/Kathmandu → warning 4:19: not-whole-hour
      scheduled_at: 2030-11-05T18:00+05:30 / scheduled_at_timezone: Asia/Kolkata → warning 4:19: not-whole-hour
      scheduled_at: 2030-11-05T18:00 / scheduled_at_timezone: Mars/Olympus → 5:28: unknown-timezone
    `),
  )('{ %s }: %s', async (time, expected) => {
    expect(await reported(at(time))).toBe(expected);
  });

  // BROADCAST-7
  test.each(
    rowsOf(`
      "2030-11-05T18:30Z" → 5:22: not-whole-hour
      "2030-11-06T18:00" → 5:22: timezone-missing
      "2030-11-05T17:00Z" → warning 5:22: end-before-schedule
      "2030-11-05T18:00Z" → warning 5:22: end-before-schedule
      "2030-11-05T19:00Z" →
      null →
    `),
  )('with the end %s: %s', async (end, expected) => {
    expect(await reported(withEnd(end))).toBe(expected);
  });

  test('at a whole hour of another zone is warned of, with hours that can be created', async () => {
    const text = at('scheduled_at: 2030-11-05T18:00 / scheduled_at_timezone: Asia/Kolkata');
    const message =
      'The service accepts only whole hours in UTC, and this is 2030-11-05T12:30:00Z. Write an hour before or after it. ' +
      'Until then, Herald can manage a live one, but creates none.';
    expect(await diagnose({ 'campaigns/a.yaml': text })).toMatchObject([
      { severity: 'warning', code: 'not-whole-hour', line: 4, column: 19, message },
    ]);
  });

  test.each([
    ['EST', 'EST is standard time all year, also in summer. For the local time, write America/New_York.'],
    [
      'Etc/GMT+2',
      'Etc/GMT+2 is UTC-2: the sign in such a name is the other way round. It has no daylight saving time. Write a name such as Europe/Berlin.',
    ],
  ])('in the zone %s is warned of', async (zone, message) => {
    const text = at(`scheduled_at: 2030-07-05T18:00 / scheduled_at_timezone: ${zone}`);
    expect(await diagnose({ 'campaigns/a.yaml': text })).toMatchObject([
      { severity: 'warning', code: 'fixed-zone', line: 5, column: 28, message },
    ]);
  });

  test('becomes a UTC hour, and so does its end', async () => {
    const time = 'scheduled_at: "2030-11-05T18:00" / scheduled_at_timezone: Europe/Berlin';
    const rules = '{ end_at: "2030-11-06T18:30", end_at_timezone: Asia/Kolkata, unsend_delay_sec: 5 }';
    const text = at(time).replace('    audience', `    rules: ${rules}\n    audience`);
    const [declared] = await declaredIn({ 'campaigns/a.yaml': text });
    expect(declared).toMatchObject({ kind: 'broadcast', target: 'scheduled', timezone: 'Europe/Berlin' });
    expect(declared).toMatchObject({ scheduledAtUtc: '2030-11-05T17:00:00Z' });
    expect(declared?.content.rules).toEqual({ end_at: '2030-11-06T13:00:00Z', unsend_delay_sec: 5 });
  });
});

test('a fan is named once, by a link or by an id', async () => {
  const attachment = '{ file: hi.jpg, fan: "https://x/y", export_fan_id: "7" }';
  const text = CAMPAIGN.replace('{ text: Hi }', `{ attachments: [${attachment}] }`);
  expect(await placesIn(text)).toContainEqual(expect.stringMatching(/fan-twice$/));
});
