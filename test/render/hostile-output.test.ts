import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/domain/change.ts';
import type { PrintedDiagnostic } from '../../src/domain/diagnostic.ts';
import type { AnyCommand } from '../../src/cli/define-command.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import { joined, type Visible } from '../../src/domain/visible.ts';
import { createOutput } from '../../src/host/output.ts';
import { doctor } from '../../src/commands/doctor.ts';
import { renderCsv } from '../../src/render/csv.ts';
import { FindingList } from '../../src/render/diagnostics.ts';
import { diff } from '../../src/commands/history/diff.ts';
import { compactJson, renderJson } from '../../src/render/json.ts';
import { MARKDOWN_LIMIT, renderPlanMarkdown } from '../../src/render/plan-markdown.ts';
import { renderPlanText } from '../../src/render/plan-text.ts';
import { test as policyTest } from '../../src/commands/policy/test.ts';
import { renderApplyText } from '../../src/render/report-text.ts';
import { defineGet } from '../../src/commands/get.ts';
import type { TextStyle } from '../../src/render/spans.ts';
import { renderTable } from '../../src/render/table.ts';
import { unprintableOffset } from '../../src/workspace/text.ts';
import { systemClock } from '../../src/host/clock.ts';
import { aChange, anOutcome, aPlan, aReport } from '../helpers/plan-builders.ts';
import { fc, runs } from '../helpers/properties.ts';
import { aCampaign } from '../helpers/resource-builders.ts';
import { aScene } from '../helpers/scene.ts';
import { CREATE } from '../helpers/state-requests.ts';
import { memoryFiles } from '../workspace/memory-files.ts';
import { forgery, obeyedIn, withoutColour } from './forgery.ts';
import { outsideFences } from './markdown-reader.ts';

const WIDTHS = [20, 21, 24, 40, 79, 80, 120, 200];
const width = fc.oneof(fc.constantFrom(...WIDTHS), fc.integer({ min: 20, max: 200 }));

/** Every renderer, and every command that draws by itself, with a forgery in every field that may hold one. */
const RENDERERS: Readonly<Record<string, (text: string, style: TextStyle) => Visible | Promise<Visible>>> = {
  plan: (text, style) => renderPlanText(hostilePlan(text), { ...style, title: 'plan' }),
  drift: (text, style) => renderPlanText(hostilePlan(text), { ...style, title: 'drift' }),
  report: (text, style) => {
    const parts = { account: text, name: text, live_id: text, message: text };
    return renderApplyText(aReport([anOutcome(parts), anOutcome({ ...parts, outcome: 'unknown' })]), style);
  },
  findings: (text, style) => new FindingList(findings(text)).drawLines(style),
  checks: (text, style) => {
    const state = { read: () => Promise.reject(new HeraldError('state-failed', text, text)) };
    const context = { files: memoryFiles({ 'herald.yaml': text }), env: {}, nodeVersion: text, state };
    return draw(doctor, style, {}, null, context);
  },
  table: (text, style) =>
    renderTable([{ header: text }, { header: 'x', whole: true }], [[text, text]], style),
  history: (text, style) => {
    const makeRow = (value: string, seq: number) => {
      const wanted = { audience_filters: [], messages: [], [`x${text}`]: value };
      const empty = { texts: '', hidden: null, hour: null, baseline: [], replaces: [] };
      const asked = JSON.stringify({ version: 1, ...empty, wanted });
      const ended = { outcome: text, answer: null, because: null, live_id: text, content: `1:${text}` };
      const who = { name: text, entry: text, run: text, who: text };
      return { ...CREATE, ...ended, ...who, asked, seq, sent_at: seq, ended_at: seq };
    };
    const state = { history: async () => [makeRow(`${text}!`, 2), makeRow(text, 1)] };
    return draw(diff, style, { address: 'alice/campaign' }, state);
  },
  policy: (text, style) => {
    const declared = [aCampaign({ name: text, messages: [{ text: `x${text}`, price_gross: 9 }] })];
    const banned_words = { level: 'deny', words: [`x${text}`] };
    const policy = { banned_words, max_price_gross: { level: 'deny', limit: 1 } };
    const placeOf = () => ({ file: text, line: 1, column: 2 });
    return draw(policyTest, style, {}, { declared, placeOf, workspace: { policy } });
  },
  resource: (text, style) => {
    const client = { prepareRow: () => async () => ({ kind: 'done', reply: hostileItem(text) }) };
    const account = { alias: text, selector: { by: 'id', value: '101' } };
    const service = { platforms: { primary: 'platform_a', secondary: 'platform_b' } };
    const workspace = { accounts: [account], groups: {}, service };
    return draw(defineGet('campaign'), style, { typed: '77' }, { client, workspace });
  },
};

/** What a command prints as text. */
async function draw({ run }: AnyCommand, style: TextStyle, given: object, opened: unknown, more?: object) {
  const context = { clock: systemClock, output: { ...style, progress: () => undefined }, ...more };
  const result = await run(context as never, given as never, opened as never);
  if (typeof result === 'number') throw new Error('The command has printed everything itself.');
  return joined([(await result.text?.()) ?? []].flat(), '\n');
}

function hostilePlan(text: string): ReturnType<typeof aPlan> {
  const fields = [
    { path: text, old: text, new: `${text}!` },
    { path: 'text', old: `one ${text} two`, new: `one two ${text}` },
    { path: 'long', old: `long ${text}\n`.repeat(9), new: `long ${text}\n`.repeat(10) },
    { path: 'list', old: { [text]: text }, new: [text, null] },
  ];
  const dropped = [{ path: text, live: text }];
  const parts = { account: text, name: text, live_id: text, reasons: [text], undo: text, fields, dropped };
  const steps = [
    { kind: 'upload' as const, live_id: null, file: text, size: 1, about_sec: 1 },
    { kind: 'pause' as const, live_id: text },
  ];
  return aPlan(
    [
      aChange({ ...parts, action: 'replace', steps }),
      aChange({ ...parts, action: 'recall' }),
      aChange({ ...parts, action: 'blocked', needs: ['resume'] }),
      aChange({ ...parts, action: 'unmanaged' }),
    ],
    { diagnostics: [...findings(text)], service: { origin: text, source: 'herald.yaml', simulator: false } },
  );
}

function findings(text: string): readonly PrintedDiagnostic[] {
  return [{ severity: 'warning', code: text, message: text, file: text, line: 1, column: 2 }];
}

function hostileItem(text: string): Readonly<Record<string, unknown>> {
  const attachments = [{ id: text, type: text, is_paid: true }];
  return {
    name: text,
    trigger: text,
    audience_filters: [
      { mode: text, kind: text, options: { from_at: text, lists: [{ id: text }], [text]: text } },
    ],
    rules: { [text]: text, other: [text] },
    messages: [{ text, price_gross: 1, attachments, tagged_platform_account_ids: [text] }],
    follow_up_message_stats: [{ step: text, [text]: text }],
  };
}

/** What a terminal of this width, or a file, gets of it. */
function printed(text: Visible, columns: number, colour: boolean): string {
  let said = '';
  const stream = { write: (piece: string | Uint8Array) => (said += String(piece)), isTTY: true, columns };
  createOutput({ stdout: stream, stderr: stream, noColour: !colour, quiet: false }).result(text);
  return colour ? withoutColour(said) : said;
}

describe('a text that tries to be more than a text', () => {
  test.each(Object.keys(RENDERERS))('steers neither a terminal nor a CI runner: %s', async (name) => {
    await fc.assert(
      fc.asyncProperty(forgery, width, fc.boolean(), async (text, columns, colour) => {
        const drawn = await RENDERERS[name]?.(text, { colour, width: columns });
        if (drawn === undefined) throw new Error(`no renderer ${name}`);
        expect(obeyedIn(printed(drawn, columns, colour))).toBeNull();
      }),
      runs(50),
    );
  });

  test('steers neither of them from the draft of a message, which is shown before the question', async () => {
    await fc.assert(
      fc.asyncProperty(forgery, async (text) => {
        const part = `x${text.replaceAll(':', '')}`;
        const words = unprintableOffset(text) === -1 ? `x${text}` : 'plain';
        const flags = ['--media', `${part}:${part}:paid`, '--text', words, '--no-local-check'];
        const ran = await aScene().herald('chat', 'send', `x${text}`, '--account', 'alice', ...flags);
        expect(ran.stderr).toMatch(/^Message to .+:$/m);
        expect(obeyedIn(ran.stderr)).toBeNull();
      }),
      runs(50),
    );
  });

  test('is not a link, image, tag or mention in Markdown, which stays below the limit', () => {
    const text = fc.oneof(forgery, fc.constantFrom('😀'.repeat(4_000), '`'.repeat(900), '&'.repeat(2_000)));
    const sizes = fc.constantFrom(1, 3, 20, 300);
    const titles = fc.constantFrom('plan' as const, 'drift' as const);
    fc.assert(
      fc.property(text, sizes, fc.boolean(), titles, (own, size, isRefused, title) => {
        const plan = hostilePlan(own);
        const changes = Array.from({ length: size }, (_, index) =>
          plan.changes.map((change) => renamed(change, index)),
        );
        const severity = isRefused ? 'error' : 'warning';
        const diagnostics = plan.diagnostics.map((one) => ({ ...one, severity }) as const);
        const markdown = renderPlanMarkdown({ ...plan, changes: changes.flat(), diagnostics }, { title });
        expect(Buffer.byteLength(markdown)).toBeLessThan(MARKDOWN_LIMIT);
        expect(obeyedIn(printed(markdown, 80, false))).toBeNull();
        expectNoStructure(markdown);
      }),
      runs(25),
    );
  });

  test('is the same text again when its JSON is read', () => {
    fc.assert(
      fc.property(forgery, (text) => {
        const document = { [text]: [text, { text }], text };
        for (const json of [renderJson(document), compactJson(document)]) {
          expect(obeyedIn(printed(json, 80, false), 'data')).toBeNull();
          expect(JSON.parse(printed(json, 80, false))).toEqual(document);
        }
      }),
      runs(80),
    );
  });

  test('is one field of one row in CSV, and no formula', () => {
    fc.assert(
      fc.property(forgery, forgery, (first, second) => {
        const csv = printed(renderCsv([[first, second, 1]]), 80, false);
        expect(obeyedIn(csv, 'data')).toBeNull();
        const fields = fieldsOf(csv);
        expect(fields).toHaveLength(3);
        for (const field of fields.slice(0, 2)) expect(field).not.toMatch(/^[=+@\t\r-]/);
      }),
      runs(80),
    );
  });
});

/** Different names and accounts, so that a large plan is not one entry repeated. */
function renamed(change: Change, index: number): Change {
  const { account, kind, name } = change.address;
  return { ...change, address: { account: `${account}${index % 40}`, kind, name: `${name}${index}` } };
}

/** The fields of the only row of a CSV text (RFC 4180). */
function fieldsOf(csv: string): readonly string[] {
  const fields = csv.replace(/\n$/, '').match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^",\n]*)(?=,|$)/g) ?? [];
  return fields.map((field) => field.replace(/^"([^]*)"$/, '$1').replaceAll('""', '"'));
}

function expectNoStructure(markdown: string): void {
  const prose = outsideFences(markdown);
  expect(prose).not.toMatch(/@[\w-]|(?<!&)#\d|<(?!\/?(?:details|summary|code|b|br)\b)|\]\(|:\/\//);
  // GitLab reads these after the escapes, and commands at the beginning of a line everywhere.
  expect(withoutCode(prose)).not.toMatch(/[!&~%]\d|\w:\/\/|@\w/);
  expect(markdown).not.toMatch(/^\/\w/m);
  for (const tag of ['details', 'code'])
    expect(prose.split(`<${tag}>`).length, tag).toBe(prose.split(`</${tag}>`).length);
}

/** What is left for a site that looks for mentions: text with its references read, without code. */
function withoutCode(markdown: string): string {
  return markdown
    .replace(/<code>[^]*?<\/code>/g, ' ')
    .replace(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)));
}
