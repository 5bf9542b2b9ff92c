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

  test('ends its text in a block without a line break', async () => {
    const block = '\n    - text: |\n        Two lines,\n        and no third.\n\n';
    const [declared] = await declaredIn({ 'campaigns/a.yaml': CAMPAIGN.replace('[{ text: Hi }]', block) });
    expect(declared?.content.messages).toEqual([{ text: 'Two lines,\nand no third.' }]);
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
