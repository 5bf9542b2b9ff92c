import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  editLive,
  liveOn,
  outcomes,
  planned,
  writesSent,
  expectQuiet,
  expectEnd,
} from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const named = (name: string) => campaign({ name, messages: [{ text: `I am ${name}` }] });
const ONE = ['--target', 'alice/campaign/One'];

/** Two campaigns and a broadcast on each of two accounts. */
function files(...names: readonly string[]): Record<string, string> {
  return declaring({ campaigns: names.map(named), broadcasts: [broadcast()] }, ['alice', 'bob']);
}
const aBigScene = () => aScene({ files: files('One', 'Two') });

describe('a run of targets', () => {
  it('plans them only, and says what it leaves out', async () => {
    const scene = aBigScene();
    const { code, plan } = await planned(scene, ...ONE);
    expect(code).toBe(0);
    expect(decisions({ plan })).toEqual(['create alice/campaign/One']);
    const ran = await scene.herald('plan', ...ONE);
    expect(ran.stdout.replace(/\s+/g, ' ')).toContain('5 resources are left out by --target or --exclude');
    expect((await scene.herald('plan', ...ONE, '--format', 'markdown')).stdout).toContain('left out');
  });

  it('applies them only, and does nothing the second time', async () => {
    const scene = aBigScene();
    const first = await applied(scene, ...ONE);
    expect(outcomes(first)).toEqual(['create applied']);
    expect(first.report.outcomes.length).toBe(1);
    expect(first.code).toBe(0);
    expect((await liveOn(scene, '101', 'campaign')).map(({ name }) => name)).toEqual(['One']);
    expect(outcomes(await applied(scene, ...ONE))).toEqual([]);
    expect(await createsSent(scene)).toBe(1);
    expect(outcomes(await applied(scene)).length).toBe(5);
    await expectQuiet(scene);
  });

  it('shows drift of them only, also in its exit code', async () => {
    const scene = aBigScene();
    await applied(scene);
    await editLive(scene, 'campaign', { status: 'paused' }, 'Two');
    expect((await scene.herald('drift')).code).toBe(2);
    expectEnd(await scene.herald('drift', ...ONE), 0);
    expect((await scene.herald('drift', '--target', 'alice/*/Two')).code).toBe(2);
  });
});

it.each([
  ['a slip in a name', ['--target', 'alice/campaign/Onne'], 'Did you mean "alice/campaign/One"?'],
  ['an account', ['--target', 'alise/*'], 'Did you mean "alice/*"?'],
  ['a kind', ['--target', 'alice/campaigns/One'], 'Did you mean "alice/campaign/One"?'],
  ['no near name', ['--target', 'alice/campaign/xyzxyzxyz'], 'To see the addresses'],
  ['an exclusion', ['--exclude', 'alice/campaign/Onne'], '--exclude "alice/campaign/Onne"'],
  ['one of several', [...ONE, '--target', 'bob/campaign/No'], '--target "bob/campaign/No"'],
  ['nothing left', [...ONE, '--exclude', 'alice/campaign'], 'leave nothing'],
])('a pattern that matches nothing ends the run, and says what was near: %s', async (_title, flags, says) => {
  const scene = aBigScene();
  for (const command of [['plan'], ['apply', '--yes']]) {
    expectEnd(await scene.herald(...command, ...flags), 1, says);
  }
  expect(await writesSent(scene)).toEqual([]);
});

it('--exclude of the old name of a rename is refused, because the rename would change it', async () => {
  const renamed = declaring({ campaigns: [campaign({ name: 'New', renamed_from: 'Old' })] });
  const scene = aScene({ files: renamed });
  const ran = await scene.herald('apply', '--yes', '--exclude', 'alice/campaign/Old');
  expectEnd(ran, 1, 'alice/campaign/New is renamed from it. Nothing was changed.');
});
