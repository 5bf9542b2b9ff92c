import { describe, expect, test } from 'vitest';
import { CHANGE_KINDS } from '../../src/domain/change-kinds.ts';
import type { Change } from '../../src/domain/change.ts';
import { MARKDOWN_LIMIT, renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { anyText, fc, runs } from '../helpers/properties.ts';
import { frozen } from './freeze.ts';
import { HOSTILE, OBEYED } from './hostile.ts';
import { outsideFences } from './markdown-reader.ts';
import { SAMPLE_PLAN } from './sample-plan.ts';

describe('a plan as a pull-request comment', () => {
  test('shows what cannot be undone first, then what is blocked, then the rest', async () => {
    const markdown = renderPlanMarkdown(SAMPLE_PLAN);
    const order = [
      '### Herald plan: 1 to create',
      '- **1 cannot be undone:** recall campaign <code>Oops</code> (99) on <code>alice</code>',
      '- **2 live at once:** ',
      '#### Cannot be undone (1)',
      '#### Goes to fans (4)',
      '#### Blocked: a person must decide (2)',
      '#### Other changes (4)',
    ];
    const places = order.map((heading) => markdown.indexOf(heading));
    expect(places).toEqual(places.toSorted((left, right) => left - right));
    expect(places).not.toContain(-1);
    await expect(markdown).toMatchFileSnapshot('snapshots/plan-markdown.txt');
  });

  test('with nothing to do is one heading and one line', () => {
    expect(renderPlanMarkdown(aPlan([aChange({ action: 'keep' })]))).toBe(
      '### Herald plan: no changes\n\nService: <code>https&#58;//api.example</code> (from herald.yaml)\n\nNo changes: 1 unchanged.\n',
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

describe('a new text in a comment', () => {
  const paragraph = Array.from({ length: 60 }, (_, index) => `Sentence ${index} is new.`).join(' ');
  const letter = Array.from({ length: 60 }, (_, index) => `Line ${index} is new.`).join('\n');

  test.each(['create', 'replace', 'blocked'] as const)('is whole in a %s', (action) => {
    const fields = [
      { path: 'messages[0].text', old: null, new: paragraph },
      { path: 'messages[1].text', old: 'First line.', new: `First line.\n${letter}` },
    ];
    const markdown = renderPlanMarkdown(aPlan([aChange({ action, fields })]));
    expect(markdown).toContain(`\n+   ${paragraph}\n`);
    for (const line of letter.split('\n')) expect(markdown).toContain(`\n+   ${line}\n`);
  });

  test('cannot look like another field', () => {
    const text = `${'Hello there, this is new. '.repeat(3)}\nmessages[0].price_gross: 0\n@@ rules.end_at @@`;
    const markdown = renderPlanMarkdown(
      aPlan([aChange({ fields: [{ path: 'text', old: null, new: text }] })]),
    );
    expect(markdown).toContain('\n+   messages[0].price_gross: 0\n+   @@ rules.end_at @@\n');
  });
});

describe('a plan too long for a comment', () => {
  const FIRST = `Good morning to all of you! ${'This is the first text of the day. '.repeat(12)}`;

  test('shows whole creates while they fit, and counts the others', () => {
    const own = (account: number) => [`${account} `.repeat(2_000)];
    const markdown = renderPlanMarkdown(aPlan(manyAccounts(80, own)), { expand: true });
    const left = Number(/fit: (\d+) resources\. Run `herald plan`/.exec(markdown)?.[1]);
    expect(markdown.match(/^- \*\*\+ create/gm)).toHaveLength(80 - left);
    expect(markdown.match(/^```diff$/gm)).toHaveLength(80 - left);
    expect(Buffer.byteLength(markdown)).toBeLessThan(MARKDOWN_LIMIT);
  });

  test('keeps what is blocked, and a few of the names of a change that has too many', () => {
    const blocked = aChange({ action: 'blocked', name: 'Stuck', needs: ['resume'] });
    const many = Array.from({ length: 3_000 }, (_, index) => {
      return aChange({ name: `Campaign ${index}`, fields: [{ path: 'text', old: null, new: FIRST }] });
    });
    const markdown = renderPlanMarkdown(aPlan([...many, blocked]));
    expect(markdown).toContain('<code>Stuck</code> (4711) on <code>alice</code>: **needs --allow resume**');
    expect(markdown).toMatch(/^- \*\*\+ create\*\* .*<code>Campaign 1014<\/code> and 2980 more/m);
    expect(markdown).toContain(FIRST);
    expect(markdown).not.toContain('Left out');
  });

  test('names a change that does not fit, and shows the others', () => {
    const huge = 'word '.repeat(20_000);
    const markdown = renderPlanMarkdown(
      aPlan([
        aChange({ name: 'Huge', fields: [{ path: 'messages[0].text', old: null, new: huge }] }),
        aChange({ name: 'Small', fields: [{ path: 'messages[0].text', old: null, new: FIRST }] }),
      ]),
    );
    expect(markdown).toContain('\n> Left out to fit: 1 resource. Run `herald plan` to see everything.\n');
    expect(markdown).toContain('- **2 live at once:** create campaign <code>Huge</code>');
    expect(markdown).toContain(FIRST);
  });

  test('names what cannot be undone next to 900 blocked changes, and on many accounts as many as fit', () => {
    const send = aChange({ kind: 'broadcast', name: 'Sent at once', reversible: false });
    const blocked = Array.from({ length: 900 }, (_, index) =>
      aChange({
        action: 'blocked',
        name: `Stuck ${index}`,
        reasons: [`Someone paused ${index}. `.repeat(9)],
      }),
    );
    const markdown = renderPlanMarkdown(aPlan([...blocked, send]), { expand: true });
    expect(markdown).toMatch(
      /#### Cannot be undone \(1\)\n\n- \*\*.* create\*\* broadcast <code>Sent at once<\/code>/,
    );
    expect(markdown).toMatch(/Left out to fit: \d+ resources/);
    const sends = Array.from({ length: 3_000 }, (_, index) =>
      aChange({ kind: 'broadcast', account: `account-${index}`, name: `Sent ${index}`, reversible: false }),
    );
    const most = renderPlanMarkdown(aPlan([...blocked, ...sends]), { expand: true });
    expect(most).toContain('#### Cannot be undone (3000)');
    expect(most).toMatch(/\*\*3000 cannot be undone:\*\* .* and \d+ more\n/);
    expect(Buffer.byteLength(most)).toBeLessThan(MARKDOWN_LIMIT);
  });

  test('of texts of 100,000 characters leaves out what is unchanged', () => {
    const text = 'word '.repeat(20_000);
    const fields = [{ path: 'text', old: text, new: `${text}more` }];
    const markdown = renderPlanMarkdown(aPlan([aChange({ action: 'replace', fields, reasons: [text] })]));
    expect(markdown).toContain('```diff');
    expect(markdown.length).toBeLessThan(5_000);
  });
});

describe('a plan in less space', () => {
  const WHOLE = 'The whole plan is in the artifact.';

  const named = (name: string) => ({ account: 'alice', kind: 'campaign', name }) as const;

  /** A few creates among pauses of which each has its own words. */
  function aLongPlan(creates: number) {
    return aPlan([
      ...Array.from({ length: creates }, (_, index) =>
        aChange({ ...named(`New ${index}`), action: 'create', reasons: ['not live yet'] }),
      ),
      ...Array.from({ length: 300 }, (_, index) =>
        aChange({
          ...named(`Old ${index}`),
          action: 'pause',
          reasons: [`reason number ${index} of many`],
        }),
      ),
    ]);
  }

  test('keeps its creates', () => {
    const markdown = renderPlanMarkdown(aLongPlan(5), { limit: 12_000, whole: WHOLE });
    expect(Buffer.byteLength(markdown)).toBeLessThanOrEqual(12_000);
    expect(markdown.match(/\*\*\+ create\*\* campaign <code>New \d/g)).toHaveLength(5);
    expect(markdown).not.toContain('Old 299');
    expect(markdown).toMatch(/Left out to fit: \d+ resources\. The whole plan is in the artifact\./);
  });
});

describe('what a prune would stop', () => {
  const owned = (name: string, index = 0) =>
    aChange({ action: 'unmanaged', name, needs: ['prune'], live_id: `${index}` });

  test('are named, and no one else’s', () => {
    const document = renderPlanMarkdown(
      aPlan([owned('Old'), aChange({ action: 'unmanaged', name: 'Theirs' })]),
    );
    expect(document).toContain(
      '#### Unmanaged, created by Herald; --allow prune stops them (1)\n\n- campaign <code>Old</code> (0) on <code>alice</code>\n',
    );
    expect(document).not.toContain('Theirs');
  });

  test('are counted where there is no space for all names', () => {
    const many = Array.from({ length: 2000 }, (_, index) =>
      owned(`A long name of a campaign ${index}`, index),
    );
    const document = renderPlanMarkdown(aPlan(many));
    expect(document).toContain('--allow prune stops them (2000)');
    expect(document).toMatch(/Left out to fit: \d+ resources\. Run `herald plan`/);
    expect(Buffer.byteLength(document)).toBeLessThan(65_535);
  });
});

describe('the issue of a drift', () => {
  const fields = [{ path: 'messages[0].text', old: 'live', new: 'file' }];
  const draw = (changes: Parameters<typeof aPlan>[0], limit = 60_000): string =>
    renderPlanMarkdown(aPlan(changes), { title: 'drift', limit });

  test('groups the differences by what they come from, first what someone changed on the service', () => {
    const text = draw([
      aChange({ action: 'replace', cause: 'files', name: 'Files', fields }),
      aChange({ action: 'replace', cause: 'both', name: 'Both', fields }),
      aChange({ action: 'replace', cause: 'service', name: 'Service', fields }),
      aChange({ action: 'create', name: 'New' }),
      aChange({ action: 'keep', name: 'Same' }),
    ]);
    expect(text.match(/^#### .*$/gm)).toEqual([
      '#### Changed on the service (1)',
      '#### Changed in the files and on the service (1)',
      '#### Not applied yet (1)',
      '#### Differs, and the state does not know why (1)',
    ]);
    expect(text.indexOf('Service</code>')).toBeLessThan(text.indexOf('Both</code>'));
    expect(text).toContain('- messages[0].text: "live"');
    expect(text).not.toContain('Same');
  });

  test('says that nothing differs', () => {
    expect(draw([aChange({ action: 'keep' })])).toMatch(/^### Herald drift: none\n/);
  });

  test.each([60_000, 20_000, 2_000])('fits into %d bytes, and says what is left out', (limit) => {
    const changes = Array.from({ length: 300 }, (_, at) =>
      aChange({
        action: 'replace',
        cause: 'service',
        account: `account-${at}`,
        name: `Campaign ${at}`,
        fields: [{ path: 'messages[0].text', old: 'x'.repeat(400), new: `y${at}` }],
      }),
    );
    const text = draw(changes, limit);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
    expect(text).toContain('Left out to fit: ');
    expect(() => outsideFences(text)).not.toThrow();
  });
});

describe('text from outside', () => {
  test('cannot mention people or issues, nor end a cell', () => {
    const plan = aPlan([
      aChange({ name: '@everyone | #1', reasons: ['see @team, #12 | GH-3 and a@b.example'] }),
    ]);
    expect(renderPlanMarkdown(plan)).toContain(
      '- **+ create** campaign <code>&#64;everyone &#124; &#35;1</code> on <code>alice</code>: **live at once**\n' +
        '  - see <code>&#64;</code>team, <code>&#35;</code>12 &#124; GH<code>&#45;</code>3 and a<code>&#64;</code>b.example\n',
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
    anyText({ maxLength: 60 }),
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
  const sizes = fc.constantFrom(1, 3, 20, 100, 400, 1_500);
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 12 }),
      sizes,
      text,
      fc.boolean(),
      (some, size, message, isRefused) => {
        const changes = Array.from({ length: size }, (_, index) => renamed(some[index % some.length], index));
        const finding = {
          severity: isRefused ? 'error' : 'warning',
          code: 'x',
          message,
          file: message,
        } as const;
        const diagnostics = Array.from({ length: Math.min(size, 60) }, () => finding);
        expectTame(renderPlanMarkdown(aPlan(changes, { diagnostics })));
      },
    ),
    runs(5),
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
}

/** One campaign on many accounts, with these texts. */
function manyAccounts(count: number, textsOf: (account: number) => readonly string[]): readonly Change[] {
  return Array.from({ length: count }, (_, account) => {
    const fields = textsOf(account).map((text, index) => {
      return { path: `messages[${index}].text`, old: null, new: text };
    });
    return aChange({ account: `acc${String(account).padStart(3, '0')}`, name: 'Welcome', fields });
  });
}
