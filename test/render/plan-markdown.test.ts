import { describe, expect, test } from 'vitest';
import { MARKDOWN_LIMIT, renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';
import { outsideFences } from './markdown-reader.ts';
import { SAMPLE_PLAN } from '../page/sample-plan.ts';

describe('a plan as a pull-request comment', () => {
  test('shows what cannot be undone first, then what is blocked, then the rest', async () => {
    await expect(renderPlanMarkdown(SAMPLE_PLAN)).toMatchFileSnapshot('snapshots/plan-markdown.txt');
  });

  test('with nothing to do is one heading and one line', () => {
    expect(renderPlanMarkdown(aPlan([aChange({ action: 'keep' })]))).toBe(
      '### Herald plan: no changes\n\nService: <code>https&#58;//api.example</code> (from herald.yaml)\n\nNo changes: 1 unchanged.\n',
    );
  });
});

describe('the differences of a change in a comment', () => {
  const draw = (old: string | null, text: string) =>
    renderPlanMarkdown(aPlan([aChange({ fields: [{ path: 'text', old, new: text }] })]), {
      limit: 1_000_000,
    });

  test('are in a fence that is longer than any of 200,000 runs of backticks', () => {
    expect(draw(null, '` '.repeat(200_000))).toMatch(/^```diff$/m);
    expect(draw(null, 'a ```` b\n`````')).toMatch(/^``````diff$[^]*^``````$/m);
  });

  test('have every added line, however many there are', () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}`);
    const block = ['@@ text @@', '    first', ...lines.map((line) => `+   ${line}`)].join('\n');
    expect(draw('first', `first\n${lines.join('\n')}`)).toContain(`\n${block}\n`);
  });
});

describe('a plan too long for a comment', () => {
  const FIRST = `Good morning to all of you! ${'This is the first text of the day. '.repeat(12)}`;

  test('shows all creates, with their texts while they fit, and counts the others', () => {
    const creates = Array.from({ length: 80 }, (_, account) => {
      const fields = [{ path: 'messages[0].text', old: null, new: `${account} `.repeat(2_000) }];
      return aChange({ account: `acc${account}`, fields });
    });
    const markdown = renderPlanMarkdown(aPlan(creates), { expand: true });
    const left = Number(/fit: the texts of (\d+) resources\. Run `herald plan`/.exec(markdown)?.[1]);
    expect(markdown.match(/^- \*\*\+ create/gm)).toHaveLength(80);
    expect(markdown.match(/\.text: .* left out to fit$/gm)).toHaveLength(left);
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

  test('shows a change that does not fit without its text, and the others whole', () => {
    const huge = [
      { path: 'scheduled_at', old: null, new: '2026-12-01T10:00:00Z' },
      { path: 'messages[0].text', old: null, new: 'word '.repeat(20_000) },
    ];
    const markdown = renderPlanMarkdown(
      aPlan([
        aChange({ kind: 'broadcast', name: 'Huge', fields: huge }),
        aChange({ name: 'Small', fields: [{ path: 'messages[0].text', old: null, new: FIRST }] }),
      ]),
    );
    expect(markdown).toContain(
      '\n> Left out to fit: the texts of 1 resource. Run `herald plan` to see everything.\n',
    );
    expect(markdown).toContain('- **+ create** broadcast <code>Huge</code>');
    expect(markdown).toContain(
      '+ scheduled_at: Tue 1 Dec 2026 10:00 UTC\n+ messages[0].text: 97.7 KiB, left out',
    );
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
});

describe('the issue of a drift', () => {
  const fields = [{ path: 'messages[0].text', old: 'live', new: 'file' }];
  const draw = (changes: Parameters<typeof aPlan>[0], limit = 60_000): string =>
    renderPlanMarkdown(aPlan(changes), { title: 'drift', limit, whole: 'The rest is elsewhere.' });

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
    expect(text).toMatch(/Left out to fit: \d+ resources\. The rest is elsewhere\./);
    expect(() => outsideFences(text)).not.toThrow();
  });
});
