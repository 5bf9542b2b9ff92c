import { describe, expect, test } from 'vitest';
import { BROADCAST, CAMPAIGN, declaredIn, digestOf, WORKSPACE } from './declare.ts';

describe('a declared campaign', () => {
  test('holds only what the file says, and the defaults of Herald’s own keys', async () => {
    const [declared] = await declaredIn({ 'campaigns/a.yaml': CAMPAIGN });
    expect(declared).toStrictEqual({
      kind: 'campaign',
      address: { account: 'alice', kind: 'campaign', name: 'Hello' },
      source: { file: 'campaigns/a.yaml', line: 3, column: 5 },
      renamedFrom: null,
      protect: false,
      ignore: [],
      target: 'active',
      timezone: null,
      content: {
        trigger: 'welcome_message',
        action: 'send_message',
        audience_filters: [],
        messages: [{ text: 'Hi' }],
      },
      replace: 'pause_first',
      oldQueue: 'keep',
    });
  });

  test('keeps every field in the service’s spelling', async () => {
    const text = `campaigns:
  - name: Hello
    accounts: [alice]
    status: paused
    renamed_from: Before
    trigger: welcome_message
    action: send_message
    replace: create_first
    old_queue: clear
    rules:
      send_delay_interval: { min_sec: 30, range_sec: 60 }
      unsend_delay_sec: 86400
      unsend_if_not_read_enabled: false
      end_at: null
      mimic_on_reply_enabled: true
    audience_filters:
      - kind: subscribed_date
        mode: include
        options: { from_at: "2030-01-01T00:00:00+02:00" }
      - kind: purchased_from_organisation
        mode: exclude
    messages:
      - text: |
          Two lines,
          and no third.

      - text: null
        price_gross: 9.90
        delay_sec: 3600
        attachments: [{ id: "9007199254740993123", type: video, is_paid: true }]
`;
    const [declared] = await declaredIn({ 'campaigns/a.yaml': text });
    expect(declared).toMatchObject({
      target: 'paused',
      renamedFrom: 'Before',
      replace: 'create_first',
      oldQueue: 'clear',
    });
    expect(declared?.content).toStrictEqual({
      trigger: 'welcome_message',
      action: 'send_message',
      rules: {
        send_delay_interval: { min_sec: 30, range_sec: 60 },
        unsend_delay_sec: 86400,
        unsend_if_not_read_enabled: false,
        end_at: null,
        mimic_on_reply_enabled: true,
      },
      audience_filters: [
        { kind: 'subscribed_date', mode: 'include', options: { from_at: '2030-01-01T00:00:00+02:00' } },
        { kind: 'purchased_from_organisation', mode: 'exclude' },
      ],
      messages: [
        { text: 'Two lines,\nand no third.' },
        {
          text: null,
          price_gross: 9.9,
          delay_sec: 3600,
          attachments: [{ id: '9007199254740993123', type: 'video', is_paid: true }],
        },
      ],
    });
  });

  test('comes sorted by account, kind and name, whatever file it stands in', async () => {
    const declared = await declaredIn({
      'campaigns/a.yaml': CAMPAIGN.replace('[alice]', '[vip]').replace('Hello', 'Zebra'),
      'campaigns/b.yaml': CAMPAIGN,
      'campaigns/c.yaml': BROADCAST,
    });
    expect(declared.map(({ address: { account, kind, name } }) => `${account}/${kind}/${name}`)).toEqual([
      'alice/broadcast/News',
      'alice/campaign/Hello',
      'alice/campaign/Zebra',
      'bob/campaign/Zebra',
    ]);
  });
});

describe('the digest', () => {
  const text = CAMPAIGN.replace('[{ text: Hi }]', '[{ text: Hi, delay_sec: 5 }, { text_file: hi.md }]');
  const tree = { 'campaigns/a.yaml': text, 'campaigns/hi.md': 'Hi' };
  const written = (changed: string, hi = 'Hi') => ({ 'campaigns/a.yaml': changed, 'campaigns/hi.md': hi });
  const set = (line: string) => written(text.replace('    action', `    ${line}\n    action`));
  const workspace = (changed: string) => ({ ...tree, 'herald.yaml': changed });

  test.each([
    ['comments and empty lines', written(`# hello\n\n${text}`)],
    ['line ends', written(text.replaceAll('\n', '\r\n'), 'Hi\r\n')],
    ['quotes', written(text.replace('name: Hello', 'name: "Hello"'))],
    ['the order of keys', written(text.replace('text: Hi, delay_sec: 5', 'delay_sec: 5, text: Hi'))],
    ['the name of the file', { 'campaigns/b.yaml': text, 'campaigns/hi.md': 'Hi' }],
    ['a text file instead of a text', written(text.replace('text_file: hi.md', 'text: Hi'))],
    ['a group instead of aliases', written(text.replace('[alice]', '[alice, alice]'))],
    ['a default that is written', workspace(`${WORKSPACE}policy: { max_changes: 20 }\n`)],
    [
      'services, which a saved plan names by itself',
      workspace(WORKSPACE.replace('world.json', 'other.json')),
    ],
  ])('stays with other %s', async (_, other) => {
    expect(await digestOf(other)).toBe(await digestOf(tree));
  });

  test.each([
    ['a text', written(text.replace('text: Hi', 'text: Ho'))],
    ['a text file', written(text, 'Ho')],
    ['a status', set('status: paused')],
    ['a way to replace', set('old_queue: clear')],
    ['a rename', set('renamed_from: Old')],
    ['what is not compared', set('ignore: [rules]')],
    ['an account', workspace(WORKSPACE.replace('"101"', '"103"'))],
    ['an unused account', workspace(WORKSPACE.replace('"102"', '"103"'))],
    ['a time', workspace(WORKSPACE.replace('world.json', 'world.json, settle_sec: 80'))],
    ['an allowance', workspace(`${WORKSPACE}allow: [prune]\n`)],
    ['the policy', workspace(`${WORKSPACE}policy: { max_changes: 3 }\n`)],
    ['the ownership', workspace(`${WORKSPACE}ownership: { name_prefix: gc/ }\n`)],
    ['one more resource', { ...tree, 'campaigns/b.yaml': BROADCAST }],
  ])('moves with %s', async (_, other) => {
    expect(await digestOf(other)).not.toBe(await digestOf(tree));
  });
});
