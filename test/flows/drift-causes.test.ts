import { describe, expect, it } from 'vitest';
import { planShape, type DriftCause } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, documentOf, liveOn } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const text = (words: string) => ({ messages: [{ text: words }] });
const campaigns = (more = {}) => declaring({ campaigns: [campaign(more)] });

async function standing(files: Record<string, string>): Promise<Scene> {
  const scene = aScene({ files });
  expect((await applied(scene)).code).toBe(0);
  return scene;
}

async function onService(
  scene: Scene,
  set: object,
  kind: 'campaign' | 'broadcast' = 'campaign',
): Promise<void> {
  const id = (await liveOn(scene, '101', kind)).at(-1)?.id ?? '';
  await scene.service((control) => {
    if (kind === 'campaign') control.editCampaign('101', id, set);
    else control.editBroadcast('101', id, set);
  });
}

async function causesIn(scene: Scene): Promise<readonly (DriftCause | undefined)[]> {
  const { changes } = documentOf(await scene.herald('drift', '--format', 'json'), planShape);
  return changes.filter(({ action }) => action !== 'keep').map(({ cause }) => cause);
}

describe('the cause of a drift', () => {
  it('is the service, where only the live object was edited', async () => {
    const scene = await standing(campaigns());
    await onService(scene, text('edited'));
    expect(await causesIn(scene)).toEqual(['service']);
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(2);
    expect(drift.stdout).toMatch(/± changed on the service "Welcome" \(\d+\)\n {6}Last applied by \S+ at /);
    expect(drift.stdout).toContain('messages[0].text\n        file: "Hey"\n        live: "edited"\n');
    expect(drift.stdout).toContain(
      "Drift: 1 changed on the service.\nTo put the files' version on the service:\n  herald apply\nTo keep what is live, in the files:\n  herald import --update\n",
    );
  });

  it('is the files, where only they were edited, and the service is not accused', async () => {
    const scene = await standing(campaigns());
    Object.assign(scene.files.tree, campaigns(text('new')));
    expect(await causesIn(scene)).toEqual(['files']);
    const drift = await scene.herald('drift');
    expect(drift.stdout).toContain('Drift: 1 not applied yet.\nTo apply the files:\n  herald apply\n');
    expect(drift.stdout).not.toContain('import --update');
  });

  it('is a person who stopped it: both ways out are named', async () => {
    const scene = await standing(campaigns());
    expect((await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes')).code).toBe(0);
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(2);
    expect(drift.stdout).toContain(
      'To start it again:\n  herald apply --allow resume --target alice/campaign/Welcome\n',
    );
    expect(drift.stdout).toContain('For what is paused, this does it:\n  herald import --update\n');
    expect((await scene.herald('import', '--update')).code).toBe(0);
    expect((await scene.herald('drift')).code).toBe(0);
  });

  it('is both, where both were edited', async () => {
    const scene = await standing(campaigns());
    await onService(scene, text('edited'));
    Object.assign(scene.files.tree, campaigns(text('new')));
    expect(await causesIn(scene)).toEqual(['both']);
  });

  it('is not known without the state', async () => {
    const scene = await standing(campaigns());
    await onService(scene, text('edited'));
    const bare = aScene({ files: scene.files.tree, clock: scene.clock });
    expect((await causesIn(bare))[0]).not.toBe('service');
  });

  it('is the service, where a declared pause was undone there', async () => {
    const scene = await standing(campaigns());
    Object.assign(scene.files.tree, campaigns({ status: 'paused' }));
    expect((await applied(scene)).code).toBe(0);
    await onService(scene, { status: 'active' });
    expect(await causesIn(scene)).toEqual(['service']);
  });
});

describe('a drift in Markdown', () => {
  it('has a heading of its own, the differences, and what to do', async () => {
    const scene = await standing(campaigns());
    await onService(scene, text('edited'));
    const { stdout } = await scene.herald('drift', '--format', 'markdown');
    expect(stdout).toMatch(/^### Herald drift: 1 changed on the service\n/);
    expect(stdout).toContain('In each diff, `-` is live and `+` is the file.');
    expect(stdout).toContain('- **± changed on the service** campaign <code>');
    expect(stdout).toContain('`herald import --update`');
    expect(stdout).not.toMatch(/Herald plan|live at once|rate limits|undo/);
  });

  it('says that there is none', async () => {
    const scene = await standing(campaigns());
    const { stdout } = await scene.herald('drift', '--format', 'markdown');
    expect(stdout).toMatch(/^### Herald drift: none\n/);
  });
});
