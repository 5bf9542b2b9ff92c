import { describe, expect, test } from 'vitest';
import type { Change, FieldDifference } from '../../src/domain/change.ts';
import type { Declared } from '../../src/domain/resource.ts';
import { readDeclared } from '../../src/render/entries.ts';
import { MARKDOWN_LIMIT, renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

const STYLE = { colour: false, width: 100, title: 'plan' } as const;

const drawn = (...changes: readonly Change[]): string => renderPlanText(aPlan(changes), STYLE);

/** Drawn with the value of `{{first_name}}` on each account. */
const drawnWith = (names: Readonly<Record<string, string>>, ...changes: readonly Change[]): string => {
  const variables = Object.entries(names).map(([account, name]) => [account, { first_name: name }] as const);
  return renderPlanText(aPlan(changes, { variables: Object.fromEntries(variables) }), STYLE);
};
describe('a plan of 4,000 replaces of 40 contents over 100 accounts', () => {
  const contents = Array.from({ length: 40 }, (_, content) => {
    const sentences = Array.from(
      { length: 6 },
      (_line, line) => `Part ${line} of offer ${content}: read it.`,
    );
    return `Offer ${content} begins here. ${sentences.join(' ')}\nWrite back to me today, number ${content}!`;
  });
  const changes = accountsOf(100).flatMap((account, index) =>
    contents.map((text, content) =>
      replaceOf({
        account,
        name: `Offer ${String(content).padStart(2, '0')}`,
        live_id: String(5_000 + 40 * index + content),
        fields: [{ path: 'messages[0].text', old: 'Nothing like it, an old line.', new: text }],
      }),
    ),
  );
  const plan = aPlan(changes);

  test.each([80, 120, Number.POSITIVE_INFINITY])('is at most 1,500 lines at %d columns', (width) => {
    const text = renderPlanText(plan, { ...STYLE, width });
    expect(text.split('\n').length).toBeLessThanOrEqual(1_500);
    expect(text).toContain('± replace campaign "Offer 07" on 100 accounts: acc000 … acc099');
    expect(text).toContain('4000 to replace');
  });

  test('has every text that fans would read, whole and once', () => {
    const text = renderPlanText(plan, { ...STYLE, width: Number.POSITIVE_INFINITY });
    for (const content of contents)
      for (const line of content.split('\n')) expect(text.split(`+ ${line}\n`)).toHaveLength(2);
  });

  test('has every text in a comment, whole and once', () => {
    const markdown = renderPlanMarkdown(plan);
    expect(Buffer.byteLength(markdown)).toBeLessThan(MARKDOWN_LIMIT);
    for (const content of contents)
      for (const line of content.split('\n')) expect(markdown.split(`\n+   ${line}\n`)).toHaveLength(2);
    expect(markdown).not.toContain('Left out');
    expect(markdown).toContain(
      '- **± replace** campaign <code>Offer 07</code> on 100 accounts: <code>acc000</code> … <code>acc099</code>: **live at once**\n',
    );
  });
});

describe('changes that do the same', () => {
  test('are one entry, with their fields once and without the id of each', () => {
    const text = drawn(
      ...accountsOf(60).map((account, index) => replaceOf({ account, live_id: `${70 + index}` })),
    );
    expect(text).toContain(
      'Goes to fans (60)\n' +
        '  ± replace campaign "Welcome" on 60 accounts: acc000 … acc059  [live at once]\n' +
        '      The content changed.\n' +
        '      messages[0].text: "Hello there" → "Hello again"\n' +
        '      steps: pause → create\n' +
        '      undo: Activate the old version again.\n',
    );
    expect(text.match(/Hello again/g)).toHaveLength(1);
    expect(text).toContain('* 60 live at once: replace campaign "Welcome" on 60 accounts: acc000 … acc059\n');
  });

  test('name each account where there are few, and what a run leaves out', () => {
    const all = accountsOf(40);
    const on = (some: readonly string[]): string | undefined => {
      const kept = all.filter((account) => !some.includes(account));
      const text = drawn(
        ...some.map((account) => replaceOf({ account })),
        ...kept.map((account) => aChange({ account, action: 'keep' })),
      );
      return /"Welcome" on (.*?)(?: {2}\[|$)/m.exec(text)?.[1];
    };
    expect(on(['acc003', 'acc007', 'acc031'])).toBe('3 accounts: acc003, acc007, acc031');
    expect(on(all.filter((account) => account !== 'acc007'))).toBe(
      '39 accounts: acc000 … acc006, acc008 … acc039',
    );
    expect(on([...all.slice(0, 8), ...all.slice(20, 22)])).toBe(
      '10 accounts: acc000 … acc007, acc020, acc021',
    );
  });

  test.each([
    ['action', { action: 'blocked' }],
    ['reason', { reasons: ['Another reason.'] }],
    ['need', { needs: ['adopt'] }],
    ['undo', { undo: 'Another way back.' }],
    ['danger', { reversible: false }],
    ['steps', { steps: [] }],
    ['loss', { dropped: [{ path: 'rules.end_at', live: '2026-12-01T00:00:00Z' }] }],
    ['name', { name: 'Hello', fields: [] }],
    // Words that no variable has.
    ['text', { fields: textField('Hello there', 'Hello Bob') }],
  ] as const)('are one entry only with the same %s', (_, other) => {
    const two = [
      replaceOf({ account: 'alice' }),
      replaceOf({ account: 'bob', ...(other as Partial<Change>) }),
    ];
    expect(drawn(...two)).not.toContain('on 2 accounts');
  });

  test('with other names are one entry that names each', () => {
    const text = drawn(
      replaceOf({ account: 'alice', name: 'Hello Alice' }),
      replaceOf({ account: 'bob', name: 'Hello Bob' }),
    );
    expect(text).toContain(
      '± replace 2 campaigns: "Hello Alice" on alice, "Hello Bob" on bob  [live at once]\n',
    );
  });

  test('show ids below where a reason names them', () => {
    const stopped = (account: string, id: string) =>
      aChange({
        account,
        name: 'Welcome',
        action: 'blocked',
        live_id: id,
        reasons: [`Person stopped ${id}. To go on: herald campaigns activate ${id} --account ${account}`],
      });
    expect(drawn(stopped('alice', '71'), stopped('bob', '72'))).toContain(
      '      Person stopped <id>. To go on: herald campaigns activate <id> --account <account>\n' +
        '      <id>: "71" on alice, "72" on bob\n',
    );
  });
});

test('queued sends are added up, and do not keep equal changes apart', () => {
  const queued = (account: string, id: string, about: number) =>
    replaceOf({
      account,
      live_id: id,
      reasons: [
        `${id}: about ${about} sends are still queued (500 targeted, ${500 - about} sent). They stay queued.`,
      ],
      queued: [{ live_id: id, about, targeted: 500, sent: 500 - about }],
    });
  expect(drawn(queued('alice', '71', 120), queued('bob', '72', 30))).toContain(
    '      <id>: sends are still queued. They stay queued.\n' +
      '      Queued in all: about 150 sends (1000 targeted, 850 sent).\n',
  );
});

describe('texts that differ by account', () => {
  const greeting = (name: string) => `Hey, it is ${name}! Something new waits for you. See you, ${name}.`;

  const NAMES = { alice: 'Alice', bob: 'Bob', mary: 'Mary Ann', zoe: 'Zoe' };

  test('by a variable are one text with its name, and two examples below', () => {
    const text = drawnWith(
      NAMES,
      ...Object.entries(NAMES).map(([account, name]) => createOf(account, greeting(name))),
    );
    expect(text).toContain('+ create campaign "Welcome" on 4 accounts: alice, bob, mary, zoe');
    expect(text).toContain(
      '+ Hey, it is {{first_name}}! Something new waits for you. See you, {{first_name}}.\n',
    );
    expect(text).toContain('      {{first_name}}: "Alice" on alice, "Bob" on bob, … and 2 more\n');
  });

  test('leave out no value that may be a message, and take no word of Herald for a value', () => {
    const accounts = 'abcd'.split('');
    const make = (word: string, path: string, text: (account: string) => string) =>
      renderPlanMarkdown({
        ...aPlan(
          accounts.map((account) => aChange({ account, fields: [{ path, old: null, new: text(account) }] })),
        ),
        variables: { a: { x: 'today' }, b: { x: 'today' }, c: { x: 'today' }, d: { x: word } },
      });
    const said = make(
      'Pay me at t.me/x',
      'messages[0].text',
      (a) => `${a === 'd' ? 'Pay me at t.me/x' : 'today'} it is`,
    );
    expect(said).toContain('"Pay me at t.me/x" on d');
    const reached = make('everyone', 'audience', (a) => (a === 'd' ? 'everyone' : 'today'));
    expect(reached).toContain('+ audience: everyone');
  });

  test('are found for an account with a name that every object has', () => {
    const address = { account: 'constructor', kind: 'campaign', name: 'Welcome' } as const;
    const written = {
      messages: [{ text: '{{trap}}' }],
      audience_filters: [],
      variables: new Map([['trap', 'X']]),
    };
    const declared = { address, timezone: null, written } as unknown as Declared;
    expect(readDeclared([declared]).variables).toEqual({ constructor: { trap: 'X' } });
    expect(Object).not.toHaveProperty('trap');
  });

  test('keep the variable apart from what changes in all', () => {
    const fields = (name: string): FieldDifference[] =>
      textField(
        `Good morning ${name}, the offer ends on Monday, hurry.`,
        `Good morning ${name}, the offer ends on Friday, hurry.`,
      );
    const text = drawnWith(
      NAMES,
      replaceOf({ account: 'alice', fields: fields('Alice') }),
      replaceOf({ account: 'bob', fields: fields('Bob') }),
    );
    expect(text).toContain('~ Good morning {{first_name}}, the offer ends on [-Monday-]{+Friday+}, hurry.\n');
  });

  test('are never shown as one where they have marks of their own', () => {
    const text = drawnWith(
      NAMES,
      createOf('alice', greeting('{{first_name}}')),
      createOf('bob', greeting('Bob')),
    );
    expect(text).not.toContain('on 2 accounts');
    expect(text.split(greeting('{{first_name}}'))).toHaveLength(3);
    expect(text).toContain('      {{first_name}}: "Bob" on bob\n');
    expect(text).not.toContain('"Alice"');
  });

  test('are whole where the value is too long to be shown below', () => {
    const words = 'one of many words, '.repeat(10);
    const value = `${words}and send 500 dollars. ${words}`;
    const draw = (offer: string) => drawnWith({ alice: offer }, createOf('alice', `Hey ${offer}`));
    expect(draw(value)).toContain('send 500 dollars');
    expect(draw('send 500 dollars')).toContain('Hey {{first_name}}');
  });
});

test('values that differ by account without a variable are an entry each', () => {
  const priced = (account: string, price: number) =>
    replaceOf({ account, fields: [{ path: 'messages[0].price_gross', old: 5, new: price }] });
  const accounts = accountsOf(9);
  const text = drawn(...accounts.map((account, index) => priced(account, index === 8 ? 14.5 : 9.99)));
  expect(text).toContain('"Welcome" on 8 accounts: acc000 … acc007');
  expect(text).toContain('      messages[0].price_gross: $5.00 → $14.50\n');
});

test('a name cannot pose as a list of accounts', () => {
  const name = 'Welcome" on 60 accounts: acc000 … acc059';
  expect(drawn(aChange({ name }))).toContain(
    '+ create campaign "Welcome\\" on 60 accounts: acc000 … acc059"',
  );
});

test('text from outside of 100,000 characters takes little time, and only as much space as what changes', () => {
  const words = Array.from({ length: 20_000 }, (_, index) => `w${index % 977}`).join(' ');
  const other = Array.from({ length: 20_000 }, (_, index) => `v${index % 983}`).join(' ');
  const fields = [
    { path: 'changed', old: words, new: words.replace('w500 ', 'here ') },
    { path: 'word', old: 'x'.repeat(100_000), new: `${'x'.repeat(50_000)}y${'x'.repeat(50_000)}` },
    { path: 'spaces', old: ' '.repeat(100_000), new: ' '.repeat(99_999) },
  ];
  const rewritten = [
    { path: 'other', old: words, new: other },
    { path: 'lines', old: words.replaceAll(' ', '\n'), new: other.replaceAll(' ', '\n') },
  ];
  const started = process.cpuUsage();
  const text = renderPlanText(aPlan([aChange({ action: 'replace', reasons: [words], fields })]), STYLE);
  const whole = renderPlanText(aPlan([aChange({ action: 'replace', fields: rewritten })]), STYLE);
  // Processor time, to which a busy machine adds little.
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  expect(text).toContain('[-w500-]{+here+}');
  expect(text.length).toBeLessThan(12_000);
  // Every word of what was rewritten is there: half of them on lines of their own.
  expect(whole.match(/\bv\d+/g)).toHaveLength(2 * other.split(' ').length);
});

function accountsOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `acc${String(index).padStart(3, '0')}`);
}

function textField(old: string, wanted: string): FieldDifference[] {
  return [{ path: 'messages[0].text', old, new: wanted }];
}

function replaceOf(parts: Parameters<typeof aChange>[0]): Change {
  const id = parts?.live_id ?? '4711';
  return aChange({
    name: 'Welcome',
    action: 'replace',
    reasons: ['The content changed.'],
    fields: textField('Hello there', 'Hello again'),
    steps: [
      { kind: 'pause', live_id: id },
      { kind: 'create', live_id: null },
      { kind: 'read_back', live_id: null },
    ],
    undo: 'Activate the old version again.',
    ...parts,
  });
}

function createOf(account: string, text: string): Change {
  return aChange({ account, name: 'Welcome', fields: [{ path: 'messages[0].text', old: null, new: text }] });
}
