import { expect, it } from 'vitest';
import { workspaceNotices } from '../../src/ci/settings-notice.ts';
import { markdownName } from '../../src/render/markdown-escape.ts';
import { workspaceFileShape } from '../../src/workspace/schema.ts';
import { memoryRepository } from '../helpers/memory-repository.ts';

const VALID = 'version: 1\n';

async function noticesOf(base: string, head: string): Promise<string> {
  const repository = memoryRepository([{ id: 'base', files: { 'herald.yaml': base } }]);
  return (await workspaceNotices({ repository, commit: 'base' }, { head, changes: [], resolved: [] })).join(
    '\n',
  );
}

/** The settings that differ, without the title. */
const linesOf = async (base: string, head: string) => (await noticesOf(base, head)).split('\n').slice(1);

it('names the one word that is gone next to 900 new ones, and the limit that is gone after 30 new settings', async () => {
  const words = Array.from({ length: 900 }, (_, index) => `new word ${index}`);
  const base = `${VALID}policy: { banned_words: [cash], max_price_gross: 50 }\n`;
  const head = `${VALID}service: { known_kinds: [${words.join(', ')}] }\npolicy: { banned_words: [${words.join(', ')}], missed: deny }\n`;
  const notice = await noticesOf(base, head);
  expect(notice).toContain('<code>policy.banned&#95;words</code> removed <code>"cash"</code>');
  expect(notice).toContain('<code>policy.max&#95;price&#95;gross</code> removed <code>50</code>');
  expect(notice.length).toBeLessThan(20_000);
});

it('names each setting of herald.yaml, such as one that erases stored events', async () => {
  const { version: _version, ...settings } = workspaceFileShape.shape;
  for (const name of Object.keys(settings))
    expect(await noticesOf(VALID, `${VALID}${name}: { a: { id: '1' } }\n`), name).not.toBe('');
});

it('shows both ends of a long value', async () => {
  const long = 'x'.repeat(5_000);
  const address = (host: string) => `${VALID}service: { base_url: 'https://${long}${host}' }\n`;
  const notice = await noticesOf(address('.mine.example'), address('.evil.example'));
  expect(notice).toMatch(
    /removed <code>"https.*x+\.mine\.example"<\/code> \(\d+ characters\); added .*x+\.evil\.example"/,
  );
});

it('names all words that are gone, and counts what does not fit', async () => {
  const words = Array.from({ length: 3_000 }, (_, index) => `old word ${index}`);
  const notice = await noticesOf(`${VALID}policy: { banned_words: [${words.join(', ')}] }\n`, VALID);
  expect(notice).toContain('<code>"old word 0"</code>');
  expect(notice).toMatch(/, 2\d\d\d more$/m);
});

it('names the variables that change, while they fit', async () => {
  const accounts = (value: string) =>
    Array.from({ length: 900 }, (_, at) => `  a${at}: { id: "${at}", vars: { offer: ${value} } }\n`).join('');
  const notice = await noticesOf(
    `${VALID}accounts:\n${accounts('Old')}`,
    `${VALID}accounts:\n${accounts('New')}`,
  );
  expect(notice).toContain(
    '<code>accounts.a1.vars.offer</code> removed <code>"Old"</code>; added <code>"New"',
  );
  expect(notice).toMatch(/and \d+ more variables of accounts$/);
});

const BASE = `version: 1
service: { base_url: https://api.service.example }
accounts: { alice: { id: "101" } }
policy:
  max_price_gross: 49.99
  banned_words: [wire transfer, cash]
  quiet_hours: { from: '23:00', to: '07:00', timezone: Europe/Lisbon }
ci: { require_approval: all }
`;

it.each([
  ['the layout', `# same\n${BASE.replace('max_price_gross: 49.99', '"max_price_gross":  49.990')}`],
  ['the order of a list', BASE.replace('wire transfer, cash', 'cash, wire transfer')],
  ['the long form of a rule', BASE.replace('49.99', '{ limit: 49.99 }')],
])('does not differ by %s', async (_title, head) => {
  expect(await noticesOf(BASE, head)).toBe('');
});

const replaced = (old: string, now: string) => BASE.replace(old, now);
const more = (line: string) => `${BASE}${line}\n`;
const APPROVAL = 'ci: { require_approval: all }\n';

it.each([
  ['a limit', replaced('49.99', '99'), 'policy.max_price_gross', '49.99', '99'],
  ['no limit', replaced('  max_price_gross: 49.99\n', ''), 'policy.max_price_gross', '49.99', ''],
  ['a word that is gone', replaced(', cash', ''), 'policy.banned_words', '"cash"', ''],
  [
    'a warning',
    replaced('49.99', '{ limit: 49.99, level: warn }'),
    'policy.max_price_gross.level',
    '',
    '"warn"',
  ],
  ['a new key', replaced('Lisbon }', 'Lisbon, hours_after: 0 }'), 'policy.quiet_hours.hours_after', '', '0'],
  [
    'a limit with a default',
    replaced('policy:', 'policy:\n  max_changes: 900'),
    'policy.max_changes',
    '',
    '900',
  ],
  ['no approval any more', replaced(APPROVAL, ''), 'ci.require_approval', '"all"', ''],
  ['another account', replaced('"101"', '"109"'), 'accounts.alice.id', '"101"', '"109"'],
  [
    'a new alias',
    replaced('"101" }', '"101" }, bo: { username: bo_b }'),
    'accounts.bo.username',
    '',
    '"bo_b"',
  ],
  ['an allowance', more('allow: [prune]'), 'allow', '', '"prune"'],
  ['a field that plans do not compare', more('ignore: [audience]'), 'ignore', '', '"audience"'],
])('differs by %s', async (_title, head, path, removed, added) => {
  const list = (verb: string, value: string) => (value === '' ? [] : [`${verb} ${markdownName(value)}`]);
  const lists = [...list('removed', removed), ...list('added', added)].join('; ');
  expect(await linesOf(BASE, head)).toEqual([`> - ${markdownName(path)} ${lists}`]);
});

it('shows no password that is in an address by mistake', async () => {
  const [before, after] = ['"https://api.service.example"', '"https://***@other.service.example"'];
  expect(await linesOf(BASE, replaced('https://api', 'https://me:secret@other'))).toEqual([
    `> - ${markdownName('service.base_url')} removed ${markdownName(before)}; added ${markdownName(after)}`,
  ]);
});

it('has the accounts last, so that no number of them pushes a rule out of sight', async () => {
  const head = more('allow: [large]').replace('"101"', '"109"').replace(', cash', '');
  expect((await linesOf(BASE, head)).map((line) => /<code>(.*?)<\/code>/.exec(line)?.[1])).toEqual([
    'policy.banned&#95;words',
    'allow',
    'accounts.alice.id',
  ]);
});

it('has nothing to say of a file that is not YAML, which has errors of its own', async () => {
  expect(await noticesOf(BASE, 'policy: [')).not.toBe('');
  expect(await noticesOf('policy: [', 'policy: [')).toBe('');
});

it('compares members that any object has as what was written', async () => {
  expect(await linesOf('policy: {}\n', 'policy: { constructor: 1, __proto__: 2 }\n')).toHaveLength(2);
});

const ALIASES = 'version: 1\naccounts:\n  alice: { id: "101" }\n  bob: { username: bob_b }\n';

const ofAlice = { address: { account: 'alice', kind: 'campaign', name: 'Welcome' } } as const;
const ofBob = { address: { account: 'bob', kind: 'campaign', name: 'Welcome' } } as const;

it('names the account of each alias of the plan, found by its name or written', async () => {
  const about = { head: ALIASES, changes: [ofBob, ofAlice, ofAlice] };
  const [found] = await workspaceNotices(null, { ...about, resolved: [{ alias: 'bob', accountId: '102' }] });
  expect(found).toBe(
    '> Accounts of this plan: <code>alice</code> is <code>101</code>, <code>bob</code> is <code>102</code>.',
  );
  const [written] = await workspaceNotices(null, { ...about, resolved: [] });
  expect(written).toContain('<code>bob</code> is <code>username bob&#95;b</code>.');
});

it('leaves the plan its place in the comment, and names what was there before first', async () => {
  const many = Array.from({ length: 2_000 }, (_, at) => `  a${at}: { id: "${at}9" }`).join('\n');
  const word = `policy: { banned_words: ["${'*'.repeat(9_000)}", cash] }`;
  const notice = await noticesOf(ALIASES, `${ALIASES.replace('101', '666')}${many}\n${word}\n`);
  expect(Buffer.byteLength(notice)).toBeLessThan(25_000);
  expect(notice).toContain(
    '<code>accounts.alice.id</code> removed <code>"101"</code>; added <code>"666"</code>',
  );
  expect(notice).toContain('(9002 characters), <code>"cash"</code>');
});

it('says first that two aliases were swapped, and which one is gone', async () => {
  const swapped = 'version: 1\naccounts:\n  alice: { username: bob_b }\n  carl: { id: "101" }\n';
  expect(await linesOf(ALIASES, swapped)).toEqual([
    '> - <code>accounts.alice.id</code> removed <code>"101"</code>',
    '> - <code>accounts.alice.username</code> added <code>"bob&#95;b"</code>',
    '> - <code>accounts.bob.username</code> removed <code>"bob&#95;b"</code>',
    '> - <code>accounts.carl.id</code> added <code>"101"</code>',
  ]);
});
