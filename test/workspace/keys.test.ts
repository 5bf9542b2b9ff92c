import { describe, expect, test } from 'vitest';
import { BROADCAST, CAMPAIGN, messagesOf, placesIn } from './declare.ts';

describe('unknown keys', () => {
  test.each([
    ['in a file', `campaign: []\n${CAMPAIGN}`, 'a.yaml:1:1: unknown-key'],
    ['in a campaign', CAMPAIGN.replace('audience:', 'audiance:'), 'a.yaml:6:5: unknown-key'],
    ['in a message', CAMPAIGN.replace('text: Hi', 'text: Hi, txt: Ho'), 'a.yaml:7:28: unknown-key'],
    [
      'in rules',
      CAMPAIGN.replace('    audience', '    rules: { unsend_delay: 5 }\n    audience'),
      'a.yaml:6:14: unknown-key',
    ],
    [
      'in an audience filter',
      CAMPAIGN.replace('audience: everyone', 'audience_filters: [{ kind: subscribed_date, mod: include }]'),
      'a.yaml:6:49: unknown-key',
    ],
    [
      'of a campaign in a broadcast',
      BROADCAST.replace('    audience', '    trigger: x\n    audience'),
      'a.yaml:5:5: unknown-key',
    ],
  ])('%s are errors at the key', async (_, text, expected) => {
    expect(await placesIn(text)).toContain(expected);
  });

  test('come with what was probably meant and with what is known', async () => {
    const text = CAMPAIGN.replace('audience:', 'audience_filter:');
    expect(await messagesOf({ 'campaigns/a.yaml': text })).toContain(
      'Unknown key "audience_filter". Did you mean "audience_filters"? Known here: name, status, trigger,',
    );
  });

  // BROADCAST-10
  test('a rule that broadcasts cannot be created with is explained', async () => {
    const text = BROADCAST.replace(
      '    audience',
      '    rules: { unsend_if_not_replied_enabled: true }\n    audience',
    );
    expect(await placesIn(text)).toEqual(['a.yaml:5:14: rule-not-creatable']);
  });

  test('keys that the service sets itself are explained', async () => {
    expect(await placesIn(CAMPAIGN.replace('text: Hi', 'text: Hi, step: 0'))).toEqual([
      'a.yaml:7:28: read-only-key',
    ]);
  });
});

test('a merge key is refused once, with what to write', async () => {
  const text = CAMPAIGN.replace('  - name', '  - <<: &base { trigger: x, action: send_message }\n    name')
    .replace('    trigger: welcome_message\n', '')
    .replace('    action: send_message\n', '');
  expect(await placesIn(text)).toEqual(['a.yaml:3:5: merge-key']);
  expect(await messagesOf({ 'campaigns/a.yaml': text })).toBe(
    'Merge keys (<<) are not supported. Write the keys out, or use an alias for one value: `rules: *base`.',
  );
});

describe('values of a wrong kind', () => {
  test.each([
    // CONTENT-3
    ['a missing name', CAMPAIGN.replace('name: Hello', 'status: active'), 'a.yaml:3:5: missing-key'],
    ['a missing trigger', CAMPAIGN.replace('    trigger: welcome_message\n', ''), 'a.yaml:3:5: missing-key'],
    ['a missing action', CAMPAIGN.replace('    action: send_message\n', ''), 'a.yaml:3:5: missing-key'],
    ['a number as name', CAMPAIGN.replace('Hello', '5'), 'a.yaml:3:11: invalid-type'],
    ['an empty trigger', CAMPAIGN.replace('welcome_message', '""'), 'a.yaml:4:14: invalid-value'],
    ['an unknown action', CAMPAIGN.replace('send_message', 'send'), 'a.yaml:5:13: invalid-value'],
    [
      'an unknown status',
      CAMPAIGN.replace('    action', '    status: live\n    action'),
      'a.yaml:5:13: invalid-value',
    ],
    [
      'a broadcast status',
      CAMPAIGN.replace('    action', '    status: scheduled\n    action'),
      'a.yaml:5:13: invalid-value',
    ],
    ['another audience word', CAMPAIGN.replace('everyone', 'all'), 'a.yaml:6:15: invalid-value'],
    ['messages as a set', CAMPAIGN.replace('[{ text: Hi }]', '{ text: Hi }'), 'a.yaml:7:15: invalid-type'],
    // CONTENT-22
    [
      'a negative delay',
      CAMPAIGN.replace('text: Hi', 'text: Hi, delay_sec: -1'),
      'a.yaml:7:39: invalid-value',
    ],
    ['a broken delay', CAMPAIGN.replace('text: Hi', 'text: Hi, delay_sec: 1.5'), 'a.yaml:7:39: invalid-type'],
    [
      'a delay beyond 31 bits',
      CAMPAIGN.replace('text: Hi', 'text: Hi, delay_sec: 2147483648'),
      'a.yaml:7:39: invalid-value',
    ],
    [
      'an unquoted attachment id',
      withAttachment('id: 9007199254740993123, type: image'),
      'a.yaml:7:38: unquoted-id',
    ],
    [
      'an id of letters',
      CAMPAIGN.replace('text: Hi', 'text: Hi, tagged_platform_account_ids: [abc]'),
      'a.yaml:7:58: invalid-id',
    ],
    ['a media id with a space', withAttachment('id: "a b", type: image'), 'a.yaml:7:38: invalid-id'],
    [
      'an id of 20 digits',
      CAMPAIGN.replace('text: Hi', 'text: Hi, tagged_platform_account_ids: ["10000000000000000000"]'),
      'a.yaml:7:58: invalid-id',
    ],
    [
      'an unquoted tag',
      CAMPAIGN.replace('text: Hi', 'text: Hi, tagged_platform_account_ids: [7]'),
      'a.yaml:7:58: unquoted-id',
    ],
    [
      'an unquoted fan list id',
      CAMPAIGN.replace(
        'audience: everyone',
        `audience_filters: [{ kind: subscribed_date, mode: include, options: { lists: [{ name: A, id: 7 }] } }]`,
      ),
      'a.yaml:6:98: unquoted-id',
    ],
    [
      'days beyond ten years',
      CAMPAIGN.replace(
        'audience: everyone',
        `audience_filters: [{ kind: subscribed_date, mode: include, options: { from_days: 3651 } }]`,
      ),
      'a.yaml:6:86: invalid-value',
    ],
    [
      'a date without its zone',
      CAMPAIGN.replace(
        'audience: everyone',
        `audience_filters: [{ kind: subscribed_date, mode: include, options: { from_at: "2030-01-01" } }]`,
      ),
      'a.yaml:6:84: invalid-date-time',
    ],
    [
      'a boolean as online check',
      BROADCAST.replace('    audience', '    rules: { online_check_mode: false }\n    audience'),
      'a.yaml:5:33: invalid-type',
    ],
  ])('%s is an error at its place', async (_, text, expected) => {
    expect(await placesIn(text)).toEqual([expected]);
  });

  test('a number where text is meant asks for quotes', async () => {
    expect(await messagesOf({ 'campaigns/a.yaml': CAMPAIGN.replace('Hello', '5') })).toBe(
      '"name" must be text, but it is 5. Put it in quotes.',
    );
  });
});

function withAttachment(attachment: string): string {
  return CAMPAIGN.replace('text: Hi', `attachments: [{ ${attachment} }]`);
}
