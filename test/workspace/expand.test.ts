import { describe, expect, test } from 'vitest';
import { loadDeclared } from '../../src/workspace/load.ts';
import {
  BROADCAST,
  CAMPAIGN,
  declaredIn,
  diagnose,
  messagesOf,
  places,
  placesIn,
  WORKSPACE,
} from './declare.ts';
import { memoryFiles, type FileTree } from './memory-files.ts';

const withText = (text: string): string => CAMPAIGN.replace('text: Hi', `text: ${text}`);
const onBoth = (text: string): string => text.replace('[alice]', '[vip]');

async function textsOf(tree: FileTree): Promise<unknown[]> {
  return (await declaredIn(tree)).flatMap(({ content }) => content.messages.map(({ text }) => text));
}

describe('variables', () => {
  test.each([
    ['"Hey, it is {{first_name}}!"', 'Hey, it is Alice!'],
    ['"{{ first_name }}{{first_name}}"', 'AliceAlice'],
    ["'\\{{first_name}}'", '{{first_name}}'],
    ["'a \\{{ b'", 'a {{ b'],
    ['"100 % { sure }"', '100 % { sure }'],
  ])('turn %s into %s', async (written, filled) => {
    expect(await textsOf({ 'campaigns/a.yaml': withText(written) })).toEqual([filled]);
  });

  test('that one account lacks are an error that names both', async () => {
    const text = onBoth(withText('"{{photo}}"'));
    expect(await placesIn(text)).toEqual(['a.yaml:7:24: unset-variable']);
    expect(await messagesOf({ 'campaigns/a.yaml': text })).toBe(
      'Account "bob" does not have the variable "photo". Set accounts.bob.vars.photo, or correct the name.',
    );
  });

  test.each(['"{{}}"', '"{{first name}}"', '"{{first_name"', '"{{first_name}"'])(
    'cannot be written as %s',
    async (written) => {
      expect(await placesIn(onBoth(withText(written)))).toEqual(['a.yaml:7:24: variable-syntax']);
    },
  );

  test.each([
    ['Hi from {city}!', 'city'],
    ['Hi from ${first_name}!', 'first_name'],
    ['Hi [first_name]!', 'first_name'],
  ])('are missed in "%s", which is sent as it is written', async (text, variable) => {
    const files = { 'campaigns/a.yaml': withText(JSON.stringify(text)) };
    expect(await textsOf(files)).toEqual([text]);
    expect(await messagesOf(files)).toBe(
      `"${variable}" in single braces or brackets is sent as it is written. If you mean a variable, write {{${variable}}}.`,
    );
  });

  test.each(['[city] and {two words} and { }', '{{first_name}} and \\\\{{city}}', '[{{first_name}}]'])(
    'are not looked for in "%s"',
    async (text) => {
      expect(await messagesOf({ 'campaigns/a.yaml': withText(`"${text}"`) })).toBe('');
    },
  );

  test.each([
    ['missed', 'Hi.\nFrom {city}.\n', { code: 'looks-like-variable', line: 2, column: 6 }],
    ['unset', 'Hey,\n\nit is {{nickname}}', { code: 'unset-variable', line: 3, column: 7 }],
  ])('are %s in a text file, with their place in it', async (_, text, place) => {
    const named = CAMPAIGN.replace('text: Hi', 'text_file: hi.txt');
    const diagnostics = await diagnose({ 'campaigns/a.yaml': named, 'campaigns/hi.txt': text });
    expect(diagnostics).toMatchObject([{ file: 'campaigns/hi.txt', ...place }]);
  });

  test('fill ids and types of attachments, fan lists and tags', async () => {
    const text = CAMPAIGN.replace(
      'audience: everyone',
      'audience_filters: [{ kind: purchased_from_organisation, mode: include, options: { lists: [{ name: "{{first_name}}s", id: "{{photo}}" }] } }]',
    ).replace(
      'text: Hi',
      'attachments: [{ id: "{{photo}}", type: "x{{photo}}" }], tagged_platform_account_ids: ["{{photo}}"]',
    );
    const [declared] = await declaredIn({ 'campaigns/a.yaml': text });
    expect(declared?.content.audience_filters[0]?.options?.lists).toEqual([{ name: 'Alices', id: '55' }]);
    expect(declared?.content.messages).toEqual([
      { attachments: [{ id: '55', type: 'x55' }], tagged_platform_account_ids: ['55'] },
    ]);
  });

  test('must be an id where an id is meant', async () => {
    const text = CAMPAIGN.replace('text: Hi', 'text: Hi, tagged_platform_account_ids: ["{{first_name}}"]');
    expect(await placesIn(text)).toEqual(['a.yaml:7:58: invalid-id']);
  });

  test('leave no message empty', async () => {
    const workspace = WORKSPACE.replace('first_name: Alice', 'first_name: ""');
    expect(
      await places({ 'herald.yaml': workspace, 'campaigns/a.yaml': withText('"{{first_name}}"') }),
    ).toEqual(['campaigns/a.yaml:7:24: text-missing']);
  });
});

// CONTENT-14
test('ids belong to one account each, so one id for several accounts is refused', async () => {
  const text = onBoth(CAMPAIGN)
    .replace('text: Hi', 'attachments: [{ id: "5", type: image }]')
    .replace(
      'audience: everyone',
      'audience_filters: [{ kind: purchased_from_organisation, mode: include, options: { lists: [{ name: A, id: "7" }, { name: B }] } }]',
    );
  expect(await placesIn(text)).toEqual(['a.yaml:6:110: shared-list', 'a.yaml:7:38: shared-attachment']);
  expect(await placesIn(text.replace('[vip]', '[alice]'))).toEqual([]);
});

describe('text files', () => {
  const withFile = (path: string): string => CAMPAIGN.replace('text: Hi', `text_file: ${path}`);

  test.each([
    ['next to the YAML file', 'hi.md', 'campaigns/hi.md'],
    ['below it', 'messages/hi.md', 'campaigns/messages/hi.md'],
    ['above it, inside the workspace', '../texts/./hi.md', 'texts/hi.md'],
  ])('are found %s', async (_, written, path) => {
    expect(await textsOf({ 'campaigns/a.yaml': withFile(written), [path]: 'Hi' })).toEqual(['Hi']);
  });

  test('are tidied and filled', async () => {
    const text = '\uFEFFHey, {{first_name}}.\r\n\r\nBye.\r\n\n';
    expect(await textsOf({ 'campaigns/a.yaml': withFile('hi.md'), 'campaigns/hi.md': text })).toEqual([
      'Hey, Alice.\n\nBye.',
    ]);
  });

  test.each<[string, string | Error | null, string]>([
    ['hi.md', null, 'text-file-unreadable'],
    ['hi.md', new Error('EACCES: permission denied'), 'text-file-unreadable'],
    ['hi.md', 'PNG\0\0', 'not-text'],
    ['hi.md', ' \n', 'text-missing'],
    ['../../hi.md', 'Hi', 'path-outside'],
    ['/etc/hi.md', 'Hi', 'path-outside'],
    ['"C:\\\\hi.md"', 'Hi', 'path-outside'],
    // Names that begin with a dot, also where Herald keeps its own files.
    ['../.herald/world.json', 'Hi', 'path-outside'],
    ['../.env', 'Hi', 'path-outside'],
    ['../texts/.git/config', 'Hi', 'path-outside'],
  ])('named %s with %j are refused: %s', async (path, text, code) => {
    const files: FileTree = text === null ? {} : { 'campaigns/hi.md': text };
    expect(await places({ 'campaigns/a.yaml': withFile(path), ...files })).toEqual([
      `campaigns/a.yaml:7:29: ${code}`,
    ]);
  });

  test('are refused next to a resource file in the folder of the state', async () => {
    const workspace = `${WORKSPACE}files: [".herald/*.yaml"]\n`;
    const tree = { 'herald.yaml': workspace, '.herald/a.yaml': withFile('hi.md'), '.herald/hi.md': 'Hi' };
    expect(await places(tree)).toEqual(['.herald/a.yaml:7:29: path-outside']);
  });

  test.each(['./drafts/a.yaml', '/home/ann/.ads/drafts/a.yaml'])(
    'are read next to a draft that a person typed as %s',
    async (draft) => {
      const text = BROADCAST.replace(/ {4}scheduled_at.*\n/, '').replace('text: Hi', 'text_file: hi.md');
      const next = draft.replace('a.yaml', 'hi.md');
      const files = memoryFiles({ 'herald.yaml': WORKSPACE, [draft]: text, [next]: 'Hi' });
      expect((await loadDeclared(files, { env: {}, draft })).kind).toBe('loaded');
    },
  );
});

test.each([
  [
    'the link of a fan',
    '{ file: hi.jpg, fan: "{{photo}}" }',
    'which is not a link such as https://HOST/NAME',
  ],
  ['the id of a fan', '{ file: hi.jpg, export_fan_id: "{{first_name}}" }', 'which is not an id'],
])('%s is checked once its variable is filled in', async (_what, attachment, problem) => {
  const text = CAMPAIGN.replace('{ text: Hi }', `{ attachments: [${attachment}] }`);
  expect(await messagesOf({ 'campaigns/a.yaml': text })).toContain(problem);
});

test('a text file that git has not fetched is not sent', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n';
  const tree = {
    'campaigns/a.yaml': CAMPAIGN.replace('text: Hi', 'text_file: hi.md'),
    'campaigns/hi.md': pointer,
  };
  expect(await messagesOf(tree)).toBe(
    'campaigns/hi.md is a Git LFS pointer, not the text. Fetch the file: git lfs pull',
  );
});
