import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, decisions, dieWithLateCreate, outcomes, planned } from '../helpers/flows.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const FILES = declaring({ campaigns: [campaign()] });

const ledgerLines = ({ files }: Scene) => (files.tree[LEDGER_FILE] ?? '').trimEnd().split('\n');

describe('an apply next to a damaged line of the ledger', () => {
  it('does not create a second time what the line says is under way', async () => {
    const scene = aScene({ files: FILES });
    await dieWithLateCreate(scene);
    const lines = ledgerLines(scene);
    const at = lines.findIndex((line) => line.includes('"type":"intent"'));
    expect(at).toBeGreaterThanOrEqual(0);
    const whole = scene.files.tree[LEDGER_FILE] ?? '';
    const damaged = lines.with(at, (lines[at] ?? '').replace('"entry"', 'entry'));
    scene.files.tree[LEDGER_FILE] = `${damaged.join('\n')}\n`;
    const held = await scene.herald('apply', '--yes');
    expect(held.code).toBe(5);
    expect(held.stdout).toContain(`${LEDGER_FILE}:${at + 1}`);
    expect(held.stdout).toContain('herald ledger check');
    expect(await createsSent(scene)).toBe(1);
    scene.files.tree[LEDGER_FILE] = whole;
    expect(outcomes(await applied(scene)), 'after the line was restored').toEqual(['keep adopted']);
    expect(await createsSent(scene)).toBe(1);
  });

  it('goes on after a person has deleted the line, as ledger check says', async () => {
    const scene = aScene({ files: FILES });
    scene.files.tree[LEDGER_FILE] = 'nonsense\n';
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/Welcome']);
    const check = await scene.herald('ledger', 'check');
    expect([check.code, check.stdout]).toEqual([1, expect.stringContaining('then delete the line')]);
    scene.files.tree[LEDGER_FILE] = '';
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
  });

  it('is not held back by a last line that a crash cut short', async () => {
    const scene = aScene({ files: FILES });
    scene.files.tree[LEDGER_FILE] = '{"v":1,"at":"2026-06-01T11:0';
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
  });

  it('is not held back by such a line after two ledgers were joined', async () => {
    const scene = aScene({ files: FILES });
    await applied(scene);
    const { [LEDGER_FILE]: ours } = scene.files.tree;
    scene.files.tree[LEDGER_FILE] = `{"v":1,"at":"2026-06-01T11:0\n${ours}`;
    scene.files.tree['campaigns/second.yaml'] = declaring({ campaigns: [campaign({ name: 'Second' })] })[
      'campaigns/all.yaml'
    ] as string;
    const second = await scene.herald('apply', '--yes');
    expect(second.stderr + second.stdout).toContain('A crash cut off this line');
    expect(second.code).toBe(0);
    const compacted = await scene.herald('ledger', 'compact');
    expect([compacted.code, scene.files.tree[LEDGER_FILE]]).toEqual([
      0,
      expect.not.stringContaining('11:0\n'),
    ]);
  });
});
