import { describe, expect, test } from 'vitest';
import { CHANGE_KINDS, type Change } from '../../src/domain/change.ts';
import { MARKDOWN_LIMIT, renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { fc } from '../helpers/properties.ts';
import { frozen } from './freeze.ts';
import { HOSTILE, OBEYED } from './hostile.ts';
import { outsideFences } from './markdown-reader.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

describe('a plan as a pull-request comment', () => {
  test('tells what cannot be undone first, then what is blocked, then the rest', async () => {
    const markdown = renderPlanMarkdown(SAMPLE_PLAN);
    const order = [
      '### Herald plan: 1 to create',
      '#### Cannot be undone (1)',
      '#### Blocked',
      '<b><code>alice',
    ];
    const places = order.map((heading) => markdown.indexOf(heading));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places).not.toContain(-1);
    await expect(markdown).toMatchFileSnapshot('snapshots/plan-markdown.txt');
  });

  test('with nothing to do is one heading and one line', () => {
    expect(renderPlanMarkdown(aPlan([aChange({ action: 'keep' })]))).toBe(
      '### Herald plan: nothing to do\n\nNothing to do: 1 resource matches.\n',
    );
  });

  test('gives the same bytes for the same frozen plan, in whatever order its changes come', () => {
    const plan = frozen(structuredClone(SAMPLE_PLAN));
    expect(renderPlanMarkdown(plan)).toBe(renderPlanMarkdown(plan));
    expect(renderPlanMarkdown({ ...plan, changes: plan.changes.toReversed() })).toBe(
      renderPlanMarkdown(plan),
    );
  });
});

describe('a plan too long for a comment', () => {
  test('gives up field differences first', () => {
    const markdown = renderPlanMarkdown(aPlan(manyChanges(100, 30)));
    expect(markdown).toContain('> Left out to fit into a comment: the field differences. Run `herald plan`');
    expect(markdown).not.toContain('```');
    expect(markdown.match(/^\| \+ create/gm)).toHaveLength(100);
  });

  test('then the table rows of what can be undone', () => {
    const blocked = aChange({ action: 'blocked', name: 'Stuck', needs: ['resume'] });
    const markdown = renderPlanMarkdown(aPlan([...manyChanges(3_000, 0), blocked]));
    expect(markdown).toContain('the field differences, and the changes that can be undone. Run');
    expect(markdown).toContain('<code>Stuck</code> (4711) on <code>alice</code>: **needs --allow resume**');
    expect(markdown).toContain('- <b><code>alice</code></b>: 3000 to create');
  });

  test('and at last everything but counts, for as many accounts as fit', () => {
    const recalls = Array.from({ length: 4_000 }, (_, index) => {
      return aChange({
        action: 'recall',
        account: `account-${index}-${'x'.repeat(80)}`,
        name: `Campaign ${index}`,
      });
    });
    const markdown = renderPlanMarkdown(aPlan(recalls));
    expect(markdown).toContain('### Herald plan: 4000 to recall');
    expect(markdown).toContain('Left out to fit into a comment: every single change and finding.');
    expect(markdown).toMatch(/- … and \d+ more accounts\n$/);
    expect(Buffer.byteLength(markdown)).toBeLessThan(MARKDOWN_LIMIT);
  });

  test('of texts of 100,000 characters is still shown with its differences', () => {
    const text = 'word '.repeat(20_000);
    const fields = [{ path: 'text', old: text, new: `${text}more` }];
    const markdown = renderPlanMarkdown(aPlan([aChange({ action: 'replace', fields, reasons: [text] })]));
    expect(markdown).toContain('```diff');
    expect(markdown.length).toBeLessThan(5_000);
  });
});

describe('text from outside', () => {
  test('cannot break out of its place', () => {
    for (const text of HOSTILE) expectTame(renderPlanMarkdown(hostilePlan(text)));
  });

  test('cannot mention people or issues, nor end a cell', () => {
    const plan = aPlan([
      aChange({ name: '@everyone | #1', reasons: ['see @team, #12 | GH-3 and a@b.example'] }),
    ]);
    expect(renderPlanMarkdown(plan)).toContain(
      '| campaign <code>&#64;everyone &#124; &#35;1</code> | **live at once**<br>see <code>&#64;</code>team, ' +
        '<code>&#35;</code>12 &#124; GH<code>&#45;</code>3 and a<code>&#64;</code>b.example |',
    );
  });

  test('gets a fence longer than any of its own', () => {
    const plan = aPlan([
      aChange({ action: 'replace', fields: [{ path: 'text', old: 'a', new: 'a\n`````\n</details>' }] }),
    ]);
    expect(renderPlanMarkdown(plan)).toContain('\n``````diff\n');
  });
});

test('any plan stays below the limit, with balanced fences and blocks', () => {
  const text = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom('😀'.repeat(4_000), '`'.repeat(900), '&'.repeat(2_000)),
  );
  const change = fc
    .record({
      action: fc.constantFrom(...CHANGE_KINDS),
      kind: fc.constantFrom('campaign' as const, 'broadcast' as const),
      account: fc.oneof(fc.constantFrom('alice', 'bob'), text),
      name: text,
      reversible: fc.boolean(),
      undo: text,
      reasons: fc.array(text, { maxLength: 3 }),
      fields: fc.array(fc.record({ path: text, old: fc.option(text), new: fc.option(text) }), {
        maxLength: 3,
      }),
    })
    .map((parts) => aChange(parts));
  const sizes = fc.constantFrom(1, 3, 20, 100, 400, 3_000);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 12 }), sizes, text, (some, size, message) => {
      const changes = Array.from({ length: size }, (_, index) => renamed(some[index % some.length], index));
      const finding = { severity: 'warning', code: 'x', message, file: message } as const;
      const diagnostics = Array.from({ length: Math.min(size, 60) }, () => finding);
      expectTame(renderPlanMarkdown(aPlan(changes, { diagnostics })));
    }),
    { numRuns: 40 },
  );
});

/** Different names and accounts, so that a large plan is not one entry repeated. */
function renamed(change: Change | undefined, index: number): Change {
  const base = change ?? aChange();
  const { account, kind, name } = base.address;
  return { ...base, address: { account: `${account}${index % 40}`, kind, name: `${name}${index}` } };
}

function expectTame(markdown: string): void {
  expect(Buffer.byteLength(markdown)).toBeLessThan(MARKDOWN_LIMIT);
  expect(markdown).not.toMatch(OBEYED);
  // Throws where a fence is left open.
  const prose = outsideFences(markdown);
  expect(prose.match(/<details/g)?.length).toBe(prose.match(/<\/details>/g)?.length);
  expect(prose.match(/<code>/g)?.length).toBe(prose.match(/<\/code>/g)?.length);
  expect(prose).not.toMatch(/@[\w-]|(?<!&)#\d|<(?!\/?(?:details|summary|code|b|br)\b)|\]\(|:\/\//);
  for (const row of prose.match(/^\|.*$/gm) ?? []) expect(row.split('|')).toHaveLength(6);
}

function hostilePlan(text: string): ReturnType<typeof aPlan> {
  const fields = [
    { path: text, old: text, new: `${text}!` },
    { path: 'long', old: `long ${text}\n`.repeat(20), new: `long ${text}\n`.repeat(21) },
    { path: 'list', old: { [text]: text }, new: [text, null] },
  ];
  const parts = { account: text, name: text, live_id: text, reasons: [text], undo: text, fields };
  return aPlan(
    [
      aChange({ ...parts, action: 'replace', steps: [{ kind: 'pause', live_id: text }] }),
      aChange({ ...parts, action: 'recall' }),
      aChange({ ...parts, action: 'blocked' }),
    ],
    { diagnostics: [{ severity: 'warning', code: 'x', message: text, file: text, line: 1, column: 2 }] },
  );
}

function manyChanges(count: number, fieldsEach: number): readonly Change[] {
  const fields = Array.from({ length: fieldsEach }, (_, index) => {
    return { path: `messages[${index}].text`, old: null, new: `The text of message ${index}` };
  });
  return Array.from({ length: count }, (_, index) => aChange({ name: `Campaign ${index}`, fields }));
}
