import { beforeAll, describe, expect, it } from 'vitest';
import { byHand, withCampaign } from '../helpers/by-hand.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  dieWithLateCreate,
  liveOn,
  planned,
  statuses,
} from '../helpers/flows.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { aScene, LEDGER_FILE, type Ran } from '../helpers/scene.ts';

const DAY = 86_400_000;

// What a command loads, it loads now: while a module is read the clock of a flow goes on.
beforeAll(async () => {
  await byHand(await withCampaign(), 'campaigns', 'pause', '77');
}, 60_000);

describe('a stop by hand while an apply begins to write behind a line that a crash cut short', () => {
  it('stays on record, and that apply does not start what it stopped', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await applied(scene);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status: 'paused' })] }));
    await applied(scene);
    const [one] = await liveOn(scene, '101', 'campaign');
    scene.clock.move(60_000);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign()] }));
    // What a crash has left.
    scene.files.tree[LEDGER_FILE] += '{"v":1,"at":"2026-06-01T12:00:5';
    const stops: Ran[] = [];
    let isFirst = false;
    const apply = scene.startAs(
      {
        onWrite: (path, _text, how) => {
          isFirst = path === LEDGER_FILE && how === 'append';
          return 'done';
        },
        // The apply is about to add its first line behind the torn one.
        disk: async () => {
          if (isFirst && stops.length === 0)
            stops.push(await byHand(scene, 'campaigns', 'pause', one?.id ?? ''));
        },
      },
      'apply',
      '--yes',
    );
    const ran = await apply.ran;
    expect(
      stops.map(({ code }) => code),
      stops[0]?.stderr,
    ).toEqual([0]);
    expect(stops[0]?.stderr).toContain('The stop is recorded in the ledger');
    expect.soft(scene.files.tree[LEDGER_FILE]).toContain('by_hand');
    expect.soft(await statuses(scene, 'campaign'), ran.stdout).toEqual(['paused']);
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/Welcome']);
  });
});

describe('a stop by hand between the moment at which a compaction has read the ledger and its rename', () => {
  it('stays on record, and no apply takes it back', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await applied(scene);
    scene.clock.move(100 * DAY);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status: 'paused' })] }));
    await applied(scene);
    const [one] = await liveOn(scene, '101', 'campaign');
    scene.clock.move(60_000);
    const stops: Ran[] = [];
    let isLedger = false;
    const compact = scene.startAs(
      {
        onWrite: (path, _text, how) => {
          isLedger = path === LEDGER_FILE && how === 'replace';
          return 'done';
        },
        // The new file is being flushed. It is renamed after this.
        disk: async () => {
          if (isLedger && stops.length === 0)
            stops.push(await byHand(scene, 'campaigns', 'pause', one?.id ?? ''));
        },
      },
      'ledger',
      'compact',
    );
    const ran = await compact.ran;
    expect([ran.code, stops.map(({ code }) => code)]).toEqual([0, [0]]);
    expect(stops[0]?.stderr).toContain('The stop is recorded in the ledger');
    expect.soft(scene.files.tree[LEDGER_FILE]).toContain('by_hand');
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign()] }));
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/Welcome']);
  });
});

describe('a git pull while herald ledger compact reads', () => {
  it('keeps the open create that it brings, or the compaction replaces nothing', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign({ name: 'Old' })] }) });
    await applied(scene);
    scene.clock.move(100 * DAY);
    addLineOfNow(scene);
    const before = scene.files.tree[LEDGER_FILE] ?? '';
    // Another machine: its create is on its way, and the process died. Its branch is merged in a moment.
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ name: 'Old' }), campaign()] }));
    await dieWithLateCreate(scene);
    const merged = scene.files.tree[LEDGER_FILE] ?? '';
    const sent = await createsSent(scene);
    expect(merged.startsWith(before) && merged.length > before.length).toBe(true);
    scene.files.tree[LEDGER_FILE] = before;
    const run = scene.startAs(
      {
        onWrite: (path) => {
          // git puts the merged file into its place, while the archive is written.
          if (path.includes('archive')) scene.files.tree[LEDGER_FILE] = merged;
          return 'done';
        },
      },
      'ledger',
      'compact',
    );
    const { code, stderr } = await run.ran;
    expect.soft(scene.files.tree[LEDGER_FILE], `exit ${code} ${stderr}`).toContain('"name":"Welcome"');
    expect.soft(decisions(await planned(scene))).not.toEqual(['create alice/campaign/Welcome']);
    await scene.herald('apply', '--yes');
    expect(await createsSent(scene)).toBe(sent);
  });
});

describe('git stash during an apply', () => {
  it('leaves the lines of the apply in the ledger that is there at its end', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await applied(scene);
    const before = scene.files.tree[LEDGER_FILE] ?? '';
    const second = campaign({ name: 'Second', messages: [{ text: 'B' }] });
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign(), second] }));
    let isReplaced = false;
    const run = scene.startAs(
      {
        onWrite: (path, text) => {
          if (path === LEDGER_FILE && text.includes('"type":"outcome"') && !isReplaced) {
            isReplaced = true;
            scene.files.tree[LEDGER_FILE] = before;
          }
          return 'done';
        },
      },
      'apply',
      '--yes',
    );
    expect((await run.ran).code).toBe(0);
    const lines = (scene.files.tree[LEDGER_FILE] ?? '').slice(before.length).trim().split('\n');
    const types = lines.map((line) => (JSON.parse(line) as { type: string }).type);
    expect(types.toSorted()).toEqual(['intent', 'outcome']);
    expect(decisions(await planned(scene))).toEqual([]);
  });
});
