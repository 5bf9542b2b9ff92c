import { describe, expect, test } from 'vitest';
import { BROADCAST, declaredIn, diagnose, placesIn } from './declare.ts';

const TIME = 'scheduled_at: "2030-11-05T18:00Z"';
const withRules = (rules: string): string =>
  BROADCAST.replace('    audience', `    rules: { ${rules} }\n    audience`);

describe('broadcasts', () => {
  // BROADCAST-3
  test('without a schedule are refused: they would leave at once', async () => {
    expect(await placesIn(BROADCAST.replace(`    ${TIME}\n`, ''))).toEqual(['a.yaml:3:5: schedule-missing']);
    expect(await placesIn(BROADCAST.replace(TIME, 'scheduled_at: null'))).toEqual([
      'a.yaml:4:19: invalid-type',
    ]);
  });

  test.each([
    ['without a zone', 'scheduled_at: "2030-11-05T18:00"', 'a.yaml:4:19: timezone-missing'],
    ['of no sense', 'scheduled_at: tomorrow', 'a.yaml:4:19: invalid-time'],
    ['within the hour', 'scheduled_at: 2030-11-05T18:30Z', 'a.yaml:4:19: not-whole-hour'],
    [
      'in an unknown zone',
      'scheduled_at: 2030-11-05T18:00\n    scheduled_at_timezone: Mars/Olympus',
      'a.yaml:5:28: unknown-timezone',
    ],
    [
      'in a gap',
      'scheduled_at: 2025-03-30T02:00\n    scheduled_at_timezone: Europe/Berlin',
      'a.yaml:4:19: schedule-gap',
    ],
  ])('with a time %s are refused', async (_, time, expected) => {
    expect(await placesIn(BROADCAST.replace(TIME, time))).toEqual([expected]);
  });

  test.each([
    ['within the hour', '2030-11-05T18:30Z', 'not-whole-hour'],
    ['without a zone of its own', '2030-11-06T18:00', 'timezone-missing'],
  ])('that end %s are refused', async (_, end, code) => {
    expect(await placesIn(withRules(`end_at: "${end}"`))).toEqual([`a.yaml:5:22: ${code}`]);
  });

  // BROADCAST-7
  test.each(['2030-11-05T17:00Z', '2030-11-05T18:00Z'])(
    'that end at %s, too early, are warned of',
    async (end) => {
      expect(await placesIn(withRules(`end_at: "${end}"`))).toEqual([
        'warning a.yaml:5:22: end-before-schedule',
      ]);
    },
  );

  test('at a whole hour of another zone are warned of, with hours that can be created', async () => {
    const time = 'scheduled_at: 2030-11-05T18:00\n    scheduled_at_timezone: Asia/Kolkata';
    const [told, ...others] = await diagnose({ 'campaigns/a.yaml': BROADCAST.replace(TIME, time) });
    expect(others).toEqual([]);
    expect(told).toMatchObject({ severity: 'warning', code: 'not-whole-hour', line: 4, column: 19 });
    expect(told?.message).toBe(
      'Herald sends times in UTC, where this is not a whole hour, so it cannot create this broadcast. ' +
        'It can manage a live one. To create it, write ' +
        '"2030-11-05T17:30" (2030-11-05T12:00Z) or "2030-11-05T18:30" (2030-11-05T13:00Z).',
    );
  });

  test.each([
    ['EST', 'EST is standard time all year, also in summer. For the local time, write America/New_York.'],
    [
      'Etc/GMT+2',
      'Etc/GMT+2 is UTC-2: the sign in such a name is the other way round. It has no daylight saving time. Write a name such as Europe/Berlin.',
    ],
  ])('in the zone %s are warned of', async (zone, message) => {
    const time = `scheduled_at: 2030-07-05T18:00\n    scheduled_at_timezone: ${zone}`;
    expect(await diagnose({ 'campaigns/a.yaml': BROADCAST.replace(TIME, time) })).toMatchObject([
      { severity: 'warning', code: 'fixed-zone', line: 5, column: 28, message },
    ]);
  });

  test('that end later, or never, pass', async () => {
    expect(await placesIn(withRules('end_at: "2030-11-05T19:00Z"'))).toEqual([]);
    expect(await placesIn(withRules('end_at: null'))).toEqual([]);
  });

  test('need a message, an audience and a short name', async () => {
    expect(await placesIn(BROADCAST.replace('[{ text: Hi }]', '[]'))).toEqual([
      'a.yaml:6:5: messages-missing',
    ]);
    expect(await placesIn(BROADCAST.replace('    audience: everyone\n', ''))).toEqual([
      'a.yaml:3:5: audience-missing',
    ]);
    expect(await placesIn(BROADCAST.replace('News', 'x'.repeat(101)))).toEqual(['a.yaml:3:11: too-long']);
    expect(await placesIn(BROADCAST.replace('News', 'x'.repeat(100)))).toEqual([]);
  });

  test('take no keys that only campaigns have', async () => {
    const text = BROADCAST.replace(
      '    audience',
      '    replace: create_first\n    old_queue: keep\n    audience',
    );
    expect(await placesIn(text)).toEqual(['a.yaml:5:5: unknown-key', 'a.yaml:6:5: unknown-key']);
  });

  test('become a UTC hour, and so does their end', async () => {
    const text = BROADCAST.replace(
      `    ${TIME}`,
      `    scheduled_at: "2030-11-05T18:00"
    scheduled_at_timezone: Europe/Berlin
    rules: { end_at: "2030-11-05T18:30", end_at_timezone: Asia/Kolkata, unsend_delay_sec: 5 }`,
    ).replace('2030-11-05T18:30', '2030-11-06T18:30');
    const [declared] = await declaredIn({ 'campaigns/a.yaml': text });
    expect(declared).toEqual({
      kind: 'broadcast',
      address: { account: 'alice', kind: 'broadcast', name: 'News' },
      source: { file: 'campaigns/a.yaml', line: 3, column: 5 },
      renamedFrom: null,
      protect: false,
      ignore: [],
      target: 'scheduled',
      timezone: 'Europe/Berlin',
      scheduledAtUtc: '2030-11-05T17:00:00Z',
      content: {
        rules: { end_at: '2030-11-06T13:00:00Z', unsend_delay_sec: 5 },
        audience_filters: [],
        messages: [{ text: 'Hi' }],
      },
    });
  });
});

// BROADCAST-9
describe('a crowded hour', () => {
  const broadcast = (name: string, status = 'scheduled'): string =>
    `  - { name: ${name}, status: ${status}, ${TIME}, audience: everyone, messages: [{ text: Hi }] }\n`;
  const file = (...broadcasts: string[]): string => `accounts: [alice]\nbroadcasts:\n${broadcasts.join('')}`;

  test('of four broadcasts of one account is a warning at the fourth', async () => {
    expect(await placesIn(file(...['A', 'B', 'C', 'D', 'E'].map((name) => broadcast(name))))).toEqual([
      'warning a.yaml:6:49: crowded-hour',
    ]);
  });

  test('of three broadcasts and a paused one is none', async () => {
    const three = ['A', 'B', 'C'].map((name) => broadcast(name));
    expect(await placesIn(file(...three, broadcast('D', 'paused')))).toEqual([]);
  });
});
