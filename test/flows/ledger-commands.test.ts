import { describe, expect, it } from 'vitest';
import { ledgerCheckShape, ledgerCompactShape, type LedgerCompact } from '../../src/domain/reports.ts';
import { acts, errorOf, SEND } from '../helpers/chats.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieBefore, documentOf, planned } from '../helpers/flows.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { aMachine } from '../helpers/machine.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const DAY_MS = 86_400_000;
const ARCHIVE = '.herald/ledger-archive-2026-09-10.ndjson';

function declare(scene: Scene, text: string): void {
  const parts = { campaigns: [campaign({ messages: [{ text }] })], broadcasts: [broadcast()] };
  Object.assign(scene.files.tree, declaring(parts));
}

/** A campaign that was replaced, a broadcast and a chat message, a hundred days and a day ago. */
async function anOldScene(): Promise<Scene> {
  const scene = aScene();
  declare(scene, 'Hey');
  await applied(scene);
  scene.clock.move(DAY_MS);
  declare(scene, 'Hi');
  await applied(scene);
  await scene.herald(...SEND, '--text', 'Hi there', '--yes');
  scene.clock.move(100 * DAY_MS);
  addLineOfNow(scene);
  return scene;
}

function ledgerOf(scene: Scene): string {
  return scene.files.tree[LEDGER_FILE] ?? '';
}

async function compact(scene: Scene, ...flags: string[]): Promise<LedgerCompact> {
  return documentOf(
    await scene.herald('ledger', 'compact', '--format', 'json', ...flags),
    ledgerCompactShape,
  );
}

describe('herald ledger compact', () => {
  it('moves settled history into an archive, and nothing is decided differently', async () => {
    const scene = await anOldScene();
    const before = await planned(scene);
    const lines = ledgerOf(scene).trimEnd().split('\n');
    const report = await compact(scene);
    expect(report).toMatchObject({
      archive: ARCHIVE,
      moved_lines: 10,
      lines_before: 11,
      lines_after: 9,
      dry_run: false,
    });
    expect(scene.files.tree[ARCHIVE]?.trimEnd().split('\n')).toEqual(lines.slice(0, 10));
    expect(ledgerOf(scene)).not.toContain('"wanted"');
    expect(await planned(scene)).toEqual(before);
    expect(before.plan.summary).toMatchObject({ keep: 1 });
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });

  it('leaves what is ours ours: the next edit is a replace that needs no allowance', async () => {
    const scene = await anOldScene();
    await compact(scene);
    declare(scene, 'Hello');
    const { report, code } = await applied(scene);
    expect([code, report.outcomes.map(({ action, outcome }) => `${action} ${outcome}`)]).toEqual([
      0,
      ['done unchanged', 'replace applied'],
    ]);
  });

  it('loses no history: the archive is read with the ledger, and Herald names what is gone', async () => {
    const scene = await anOldScene();
    const before = await scene.herald('history', '--format', 'ndjson');
    await compact(scene);
    expect(await scene.herald('history', '--format', 'ndjson')).toEqual(before);
    expect((await scene.herald('history', 'diff', 'alice/campaign/Welcome')).stdout).toContain(
      '"Hey" → "Hi"',
    );
    delete scene.files.tree[ARCHIVE];
    const without = await scene.herald('history');
    expect(without.stderr).toContain(`moved to ${ARCHIVE}, which is not here (tester)`);
    expect((await scene.herald('history', '--since', '30d')).stderr).toBe('');
  });

  it('has nothing to do a second time, and then writes nothing', async () => {
    const scene = await anOldScene();
    await compact(scene);
    const [text, writes] = [ledgerOf(scene), scene.files.written.length];
    expect(await compact(scene)).toMatchObject({ moved_lines: 0, archive: null });
    expect([ledgerOf(scene), scene.files.written.length]).toEqual([text, writes]);
    expect((await scene.herald('ledger', 'compact')).stdout).toMatch(/^Nothing to move/);
  });

  it('adds to the archive of the same day', async () => {
    const scene = await anOldScene();
    await compact(scene, '--keep', '2026-06-02');
    expect(scene.files.tree[ARCHIVE]?.trimEnd().split('\n').length).toBe(4);
    await compact(scene);
    expect(scene.files.tree[ARCHIVE]?.trimEnd().split('\n').length).toBe(10);
  });

  it('says what it would do, drops lines only with --drop, and keeps at least a week', async () => {
    const scene = await anOldScene();
    const text = ledgerOf(scene);
    const dry = await scene.herald('ledger', 'compact', '--dry-run');
    expect(dry.stdout).toMatch(
      /^10 lines of finished history from before 2026-06-12T12:00:00.000Z would be moved to /,
    );
    expect(ledgerOf(scene)).toBe(text);
    const dropped = await scene.herald('ledger', 'compact', '--drop');
    expect(dropped.stdout).toContain(' dropped.');
    expect(scene.files.tree[ARCHIVE]).toBeUndefined();
    const bad = await scene.herald('ledger', 'compact', '--keep', '6d', '--format', 'json');
    expect(errorOf(bad)).toMatchObject({ code: 'bad-flag', hint: 'Use --keep 7d or more.' });
    expect((await scene.herald('ledger', 'compact', '--keep', 'soon')).stderr).toContain(
      'Cannot read "--keep soon"',
    );
  });

  it.each(['--dry-run', '--drop'])('keeps the last week if this machine is ahead: %s', async (flag) => {
    const { scene, setClock } = aMachine();
    declare(scene, 'Hey');
    await applied(scene);
    scene.clock.move(100 * DAY_MS);
    await scene.herald(...SEND, '--text', 'Hi there', '--yes');
    await setClock(300 * DAY_MS);
    const text = ledgerOf(scene);
    // 4 lines are a hundred days old, and those of the message a moment.
    expect(await compact(scene, flag, '--keep', '7d')).toMatchObject({
      before: '2026-09-02T12:00:00.000Z',
      moved_lines: 4,
    });
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
    if (flag === '--dry-run') expect(ledgerOf(scene)).toBe(text);
    expect(acts(scene)).toHaveLength(1);
  });

  it('does not count the clock of a server that was ahead, nor of a machine alone', async () => {
    const scene = await anOldScene();
    const ahead = { at: '2030-01-01T00:00:00.000Z' };
    const lines = [
      anIntent({ entry: 'x-1', call: 'status', live_id: '7', target: 'paused', ...ahead }),
      anOutcomeLine({ entry: 'x-1', ...ahead }),
      anIntent({ entry: 'x-2', call: 'status', live_id: '7', target: 'paused', skew_ms: 900 * DAY_MS }),
      anOutcomeLine({ entry: 'x-2', at_skew_ms: 900 * DAY_MS }),
    ];
    scene.files.tree[LEDGER_FILE] = `${ledgerOf(scene)}${textOf(lines)}`;
    scene.clock.move(900 * DAY_MS);
    expect(await compact(scene, '--dry-run')).toMatchObject({ before: '2026-09-03T12:00:00.000Z' });
  });

  it('never touches a request without a recorded end, however old it is', async () => {
    const scene = aScene();
    await dieBefore(scene, (line) => line.includes('"outcome"'), [...SEND, '--text', 'Hi there', '--yes']);
    scene.clock.move(300 * DAY_MS);
    expect(await compact(scene)).toMatchObject({ moved_lines: 0 });
    expect(acts(scene).map(({ outcome }) => outcome)).toEqual(['unknown']);
    const again = await scene.herald(...SEND, '--text', 'Hi there', '--yes');
    expect(again.code).toBe(3);
  });

  it('refuses a damaged ledger, and puts away a line that a crash cut short', async () => {
    const scene = await anOldScene();
    const text = ledgerOf(scene);
    scene.files.tree[LEDGER_FILE] = `nonsense\n${text}`;
    const refused = await scene.herald('ledger', 'compact', '--format', 'json');
    expect([refused.code, errorOf(refused).code]).toEqual([1, 'damaged-ledger']);
    expect(ledgerOf(scene)).toBe(`nonsense\n${text}`);
    scene.files.tree[LEDGER_FILE] = `${text}{"v":1,"at":"20`;
    expect(await compact(scene)).toMatchObject({ moved_lines: 10 });
    expect((await scene.herald('ledger', 'check')).stderr).toBe('');
  });

  it('does not wait for the lock, and releases its own', async () => {
    const scene = await anOldScene();
    const { release } = await scene.files.state.leases.take();
    const ran = await scene.herald('ledger', 'compact', '--format', 'json');
    expect(errorOf(ran).code).toBe('locked');
    await release();
    await compact(scene);
    expect((await applied(scene)).code).toBe(0);
  });

  it.each([ARCHIVE, LEDGER_FILE])('loses nothing where it dies before it writes %s', async (path) => {
    const scene = await anOldScene();
    const [text, history] = [ledgerOf(scene), (await scene.herald('history', '--format', 'ndjson')).stdout];
    const run = scene.start('ledger', 'compact');
    let died = false;
    scene.files.onWrite = (written) => {
      if (written !== path) return 'done';
      died = true;
      run.kill();
      return 'frozen';
    };
    while (!died) await new Promise((resolve) => setImmediate(resolve));
    scene.files.onWrite = () => 'done';
    expect(ledgerOf(scene)).toBe(text);
    expect((await scene.herald('history', '--format', 'ndjson')).stdout).toBe(history);
    expect(await compact(scene)).toMatchObject({ moved_lines: 10 });
    expect((await scene.herald('history', '--format', 'ndjson')).stdout).toBe(history);
  });
});

describe('herald ledger check', () => {
  it('is quiet if all is well, also without a ledger and a workspace', async () => {
    const scene = await anOldScene();
    const { code, stdout } = await scene.herald('ledger', 'check');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\.herald\/ledger\.ndjson: 11 lines, [\d.]+ KiB, 4 objects known\. No problems found\. 10 lines can be moved to an archive: herald ledger compact\n$/,
    );
    const empty = aScene();
    delete empty.files.tree['herald.yaml'];
    expect((await empty.herald('ledger', 'check')).stdout).toContain('Nothing is recorded yet.');
  });

  it('is exit 1 with what to do where someone is needed, the same in every format', async () => {
    const scene = aScene();
    scene.files.tree[LEDGER_FILE] = `${textOf([anIntent(), anOutcomeLine({ entry: 'gone' })])}<<<<<<< ours\n`;
    scene.clock.move(DAY_MS);
    const text = await scene.herald('ledger', 'check');
    expect(text.code).toBe(1);
    expect(text.stdout).toContain(
      '.herald/ledger.ndjson:3: ledger-damaged: This is the mark of a merge conflict.',
    );
    expect(text.stdout).toContain('Run herald apply to find out what happened.');
    expect(text.stdout).toContain('This needs manual repair; see above.');
    const json = await scene.herald('ledger', 'check', '--format', 'json');
    expect(json.code).toBe(1);
    const report = documentOf(json, ledgerCheckShape);
    expect(report).toMatchObject({ healthy: false, lines: 3, open: [{ entry: 'r-1', age_sec: 86_400 }] });
    expect(report.findings.map(({ code }) => code)).toEqual([
      'ledger-damaged',
      'ledger-orphan',
      'ledger-open',
    ]);
  });

  it('judges by the settle window of the workspace', async () => {
    const scene = aScene();
    scene.files.tree[LEDGER_FILE] = textOf([anIntent()]);
    scene.clock.move(80_000);
    expect((await scene.herald('ledger', 'check')).code).toBe(1);
    scene.files.tree['herald.yaml'] = (scene.files.tree['herald.yaml'] ?? '').replace(
      'json }',
      'json, settle_sec: 120 }',
    );
    const waiting = await scene.herald('ledger', 'check');
    expect([waiting.code, waiting.stdout.includes('It may still succeed')]).toEqual([0, true]);
  });

  it('sends nothing and writes nothing', async () => {
    const scene = await anOldScene();
    const writes = scene.files.written.length;
    await scene.herald('ledger', 'check');
    expect(scene.files.written.length).toBe(writes);
  });
});
