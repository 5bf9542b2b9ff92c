import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  liveOn,
  outcomes,
  planned,
  writesSent,
  expectEnd,
  standing,
} from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { WORKSPACE, type Scene } from '../helpers/scene.ts';

const STAYING = ['A', 'B', 'C', 'D'];

type Kind = 'campaign' | 'broadcast';

/** Four that stay and one that is taken out of the files, all made by Herald. */
const withOneRemoved = madeOnce(async (kind: Kind) => {
  const scene = await standing(five(kind, [...STAYING, 'Old']));
  Object.assign(scene.files.tree, five(kind, STAYING));
  return scene;
});

function five(kind: Kind, names: readonly string[]): Record<string, string> {
  const one = kind === 'campaign' ? campaign : broadcast;
  return declaring({
    [`${kind}s`]: names.map((name) => one({ name, messages: [{ text: `I am ${name}` }] })),
  });
}

describe.each([
  ['campaign', 'archive', 'archived'],
  ['broadcast', 'pause', 'paused'],
] as const)('a %s that was taken out of the files', (kind, action, ends) => {
  const prune = (scene: Scene) => applied(scene, '--allow', 'prune');

  it('is listed by every plan, and exactly it is stopped where that is allowed', async () => {
    const scene = await withOneRemoved(kind);
    const sent = await writesSent(scene);
    expect(decisions(await planned(scene, '--detailed-exitcode'))).toEqual([`unmanaged alice/${kind}/Old`]);
    const ran = await scene.herald('plan', '--format', 'markdown');
    expect(ran.stdout.replaceAll('`', '')).toContain('--allow prune stops them');
    expect(ran.stdout).toContain('Old');
    expect((await applied(scene)).code).toBe(0);
    expect(await writesSent(scene)).toEqual(sent);
    expect(decisions(await planned(scene, '--allow', 'prune'))).toEqual([`${action} alice/${kind}/Old`]);
    const first = await prune(scene);
    expect([first.code, outcomes(first)]).toEqual([0, [`${action} applied`]]);
    expect(await writesSent(scene)).toEqual([...sent, `PATCH ${kind}s.set-status`]);
    const old = (await liveOn(scene, '101', kind)).filter(({ name }) => name === 'Old');
    expect(old.map(({ status }) => status)).toEqual([ends]);
  });
});

describe('a prune of too much', () => {
  it('of an account is held back before any write', async () => {
    const scene = await withOneRemoved('campaign');
    Object.assign(scene.files.tree, five('campaign', ['A', 'B']));
    const sent = await writesSent(scene);
    expectEnd(
      await scene.herald('apply', '--yes', '--allow', 'prune'),
      5,
      '3 of 5 owned objects on account alice would be stopped: 60 %',
    );
    expect((await planned(scene, '--allow', 'prune')).code).toBe(5);
    expect(await writesSent(scene)).toEqual(sent);
    const allowed = await applied(scene, '--allow', 'prune', '--allow', 'large');
    expect(outcomes(allowed)).toEqual(['archive applied', 'archive applied', 'archive applied']);
  });

  it('is refused while one of the patterns matches nothing, whatever is allowed', async () => {
    const scene = await withOneRemoved('campaign');
    scene.files.tree['herald.yaml'] = WORKSPACE.replace('[', '["eu/*.yaml", ');
    const sent = await writesSent(scene);
    const ran = await scene.herald('apply', '--yes', '--allow', 'prune', '--allow', 'large');
    expectEnd(ran, 5, 'No file matches the pattern "eu/*.yaml"');
    expect(await writesSent(scene)).toEqual(sent);
  });
});
