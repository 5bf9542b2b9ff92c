import { describe, expect, test } from 'vitest';
import { BROADCAST, CAMPAIGN, CAMPAIGN_WITH, messagesOf, places, placesIn, WORKSPACE } from './declare.ts';

const zoned = BROADCAST.replace('18:00Z"', '18:00"\n    scheduled_at_timezone: Europe/Berlin');
const sold = CAMPAIGN_WITH.message(
  'text: Hi, price_gross: 5, attachments: [{ id: "{{photo}}", type: image, is_paid: true }]',
);
const without = (key: string) => CAMPAIGN.replace(new RegExp(`    ${key}: \\S+\n`), '');

test.each([
  // Keys with a typo, of which no other key is called missing.
  [`campaign: []\n${CAMPAIGN}`, '1:1: unknown-key'],
  [CAMPAIGN.replace('audience', 'audiance'), '6:5: unknown-key'],
  [CAMPAIGN.replace('name', 'nam'), '3:5: unknown-key'],
  [CAMPAIGN.replace('accounts', 'acounts'), '1:1: unknown-key'],
  [CAMPAIGN.replace('campaigns', 'campaign'), '2:1: unknown-key'],
  [CAMPAIGN_WITH.message('text: Hi, txt: Ho'), '7:28: unknown-key'],
  [CAMPAIGN_WITH.message('text: Hi, step: 0'), '7:28: unknown-key'],
  [CAMPAIGN_WITH.rules('unsend_delay: 5'), '6:14: unknown-key'],
  [CAMPAIGN_WITH.filter('kind: purchased_from_organisation, mod: include'), '6:61: unknown-key'],
  [BROADCAST.replace('    audience', '    trigger: x\n    audience'), '5:5: unknown-key'],
  // BROADCAST-10
  [
    zoned.replace('    audience', '    rules: { unsend_if_not_replied_enabled: true }\n    audience'),
    '6:14: unknown-key',
  ],
  [zoned.replace('_timezone', '_timezon'), '5:5: unknown-key'],
  [sold.replace('price_gross', 'price_gros'), '7:28: unknown-key'],
  [sold.replace('id:', 'di:'), '7:60: unknown-key'],
  // Values of a wrong kind, and missing ones (CONTENT-3).
  [CAMPAIGN.replace('name: Hello', 'status: active'), '3:5: missing-key'],
  [without('trigger'), '3:5: missing-key'],
  [without('action'), '3:5: missing-key'],
  [CAMPAIGN.replace('welcome_message', '""'), '4:14: invalid-value'],
  [CAMPAIGN.replace('send_message', 'send'), '5:13: invalid-value'],
  [CAMPAIGN.replace('    action', '    status: scheduled\n    action'), '5:13: invalid-value'],
  [CAMPAIGN.replace('everyone', 'all'), '6:15: invalid-value'],
  [CAMPAIGN.replace('[{ text: Hi }]', '{ text: Hi }'), '7:15: invalid-type'],
  [CAMPAIGN.replace('[alice]', '""'), '1:11: invalid-accounts'],
  [zoned.replace('Europe/Berlin', '5'), '5:28: invalid-type'],
  [sold.replace('is_paid: true', 'is_paid: 5'), '7:99: invalid-type'],
  [
    BROADCAST.replace('    audience', '    rules: { online_check_mode: false }\n    audience'),
    '5:33: invalid-type',
  ],
])('what is wrong is reported once, at its place (%#)', async (text, place) => {
  expect(await placesIn(text)).toEqual([`a.yaml:${place}`]);
});

test.each([
  [WORKSPACE.replace('accounts', 'acounts'), '3:1: unknown-key'],
  [WORKSPACE.replace('groups', 'group'), '6:1: unknown-key'],
  [WORKSPACE.replace('id: "102"', 'usrname: b'), '5:10: unknown-key'],
  [WORKSPACE.replace('simulator: .herald/world.json', 'base_url: []'), '2:22: invalid-type'],
])('so it is in a workspace (%#)', async (text, place) => {
  const tree = { 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN.replace('[alice]', '[vip]') };
  expect(await places(tree)).toEqual([`herald.yaml:${place}`]);
});

test('an anchor, an alias and a merge key are refused with what to write', async () => {
  const text = without('trigger').replace('  - name', '  - <<: *base\n    name');
  expect(await placesIn(text)).toEqual(['a.yaml:3:9: yaml-alias']);
  expect(await placesIn(CAMPAIGN_WITH.message('text: &Hello fans'))).toEqual(['a.yaml:7:31: yaml-alias']);
  expect(await messagesOf({ 'campaigns/a.yaml': text })).toContain(
    'Put a text that begins with & or * in quotes.',
  );
});

test.each([
  [
    CAMPAIGN.replace('audience:', 'audience_filter:'),
    'Unknown key "audience_filter". Did you mean "audience_filters"? Known here: name, status, trigger,',
  ],
  [
    CAMPAIGN_WITH.message('attachments: [{ fle: a.jpg }]'),
    'Unknown key "fle". Did you mean "file"? Known here: file, name, content_type,',
  ],
  [CAMPAIGN.replace('Hello', '5'), '"name" must be text, but it is 5. Put it in quotes.'],
  ...['"9.99"', '"9,99"', '$9.99', '9.99 USD'].map((price) => [
    CAMPAIGN_WITH.message(`text: Hi, text_is_paid: true, price_gross: ${price}`),
    '"price_gross" must be a number, but it is text. Write 9.99, without quotes.',
  ]),
  [
    CAMPAIGN_WITH.message('text: Hi, text_is_paid: true, price_gross: "9.9"'),
    '"price_gross" must be a number, but it is text. Write 9.9, without quotes.',
  ],
  [
    CAMPAIGN_WITH.message('text: Hi, delay_sec: "60"'),
    '"delay_sec" must be a number, but it is text. Write 60, without quotes.',
  ],
  [
    CAMPAIGN_WITH.message('text: Hi, text_is_paid: true, price_gross: "{{price}}"'),
    '"price_gross" must be a number, but it is text. Use variables only in texts and ids.',
  ],
  ...['"true"', 'yes', 'on'].map((written) => [
    CAMPAIGN_WITH.message(`text: Hi, price_gross: 5, text_is_paid: ${written}`),
    '"text_is_paid" must be true or false, but it is text. Write true, without quotes.',
  ]),
  ...['Hi {{first_name}}', '${FIRST_NAME}/api'].map((text) => [
    CAMPAIGN_WITH.message(`text: ${text}`),
    'In a map on one line, a text with { needs quotes, such as "Hi {{name}}" or "${NAME}".',
  ]),
  ...['0x3e8', '0o1750', '1e3', '1_000'].map((written) => [
    CAMPAIGN_WITH.message(`text: Hi, text_is_paid: true, price_gross: ${written}`),
    '"price_gross" must be a number, but it is text. Write 1000, without quotes.',
  ]),
])('a message says what to write (%#)', async (text, message) => {
  expect(await messagesOf({ 'campaigns/a.yaml': text })).toContain(message);
});

describe('a value of a wrong shape', () => {
  test('is reported before the rules across fields, and hides no other resource', async () => {
    const rules = CAMPAIGN.replace('    audience: everyone\n', '');
    const both = rules.replace('welcome_message', '5');
    const second = rules.replace('accounts: [alice]\ncampaigns:\n', '');
    expect(await placesIn(both + second)).toEqual([
      'a.yaml:4:14: invalid-type',
      'a.yaml:7:5: audience-missing',
    ]);
  });

  test('of a file hides no resource of it', async () => {
    const text = CAMPAIGN.replace('accounts: [alice]', 'accounts: 5\nextra: 1').replace('Hi', '5');
    expect(await placesIn(text)).toEqual([
      'a.yaml:1:11: invalid-accounts',
      'a.yaml:2:1: unknown-key',
      'a.yaml:8:24: invalid-type',
    ]);
  });

  test('hides no other one next to it', async () => {
    const wrong = ['status: live', 'old_queue: x', 'replace: x', 'rules: 5', 'bogus: 1'];
    const lines = wrong.map((line) => `    ${line}\n`).join('');
    expect(await placesIn(CAMPAIGN.replace('welcome_message', '5') + lines)).toHaveLength(6);
  });

  test('and a limit are described in words', async () => {
    const told = (text: string) => messagesOf({ 'herald.yaml': text, 'campaigns/a.yaml': CAMPAIGN });
    expect(await told(`${WORKSPACE}policy: { max_changes: 0 }\n`)).toBe('Write at least 1.');
    const days = 'Write a number of days, such as 90d.';
    expect(await told(`${WORKSPACE}events: { keep: 90 }\n`)).toBe(days);
    const hours = '{ from: 23, to: "07:00", timezone: UTC }';
    expect(await told(`${WORKSPACE}policy: { quiet_hours: ${hours} }\n`)).toBe(
      'Write HH:MM, such as "23:00".',
    );
    expect(await told(`${WORKSPACE}state: herald-state\n`)).toBe(
      'Write .herald, or a map with git_branch or with postgres.',
    );
    expect(await told(WORKSPACE.replace('version: 1', 'version: "1"'))).toBe(
      'Unknown value "1". Write 1, without quotes.',
    );
  });
});
