import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { campaign, declaring } from '../../helpers/declare-live.ts';
import { applied, editLive } from '../../helpers/flows.ts';
import { aScene, type Scene } from '../../helpers/scene.ts';
import { serveGitHub } from '../../provider/github-server.ts';
import type { ServedSite } from '../../provider/served-provider.ts';
import { BOT } from '../../provider/world.ts';

const SCHEDULED = {
  GITHUB_ACTIONS: 'true',
  GITHUB_EVENT_NAME: 'schedule',
  GITHUB_REF_NAME: 'main',
  GITHUB_RUN_ID: '4711',
};

let github: ServedSite;

beforeEach(async () => {
  github = await serveGitHub();
});

afterEach(() => github.close());

describe('herald ci drift', () => {
  it('opens one issue, edits it while the drift lasts, closes it, and opens it again', async () => {
    const scene = await inSchedule();
    expect(await drift(scene)).toMatchObject({ code: 0 });
    expect(github.world.issues).toEqual([]);

    await edit(scene, 'By hand @team <!-- x');
    const first = await drift(scene);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('Drift: 1 changed on the service.');
    expect(first.stderr).toMatch(/Opened: https:\/\/github\.example\/acme\/ads\/issues\/\d+/);
    const [issue] = github.world.issues;
    expect(issue).toMatchObject({ author: BOT, title: 'Herald drift', isOpen: true });
    expect(issue?.body).toMatch(
      /^<!-- herald-drift:[0-9a-f]{12} -->\n### Herald drift: 1 changed on the service/,
    );
    expect(issue?.body).toContain('#### Changed on the service (1)');
    expect(issue?.body).toContain(`${github.origins.api}/acme/ads/actions/runs/4711`);

    await edit(scene, 'Other words');
    expect((await drift(scene)).stderr).toContain('Edited: ');
    expect(issue?.body).toContain('Other words');
    expect(issue?.body).not.toContain('By hand');

    await edit(scene, 'Hey');
    expect((await drift(scene)).stderr).toContain('Closed, because nothing differs any more: ');
    expect(issue).toMatchObject({ isOpen: false });
    expect(issue?.body).toContain('### Herald drift: none');
    expect((await drift(scene)).stderr).toContain('The issue stays as it is.');

    await edit(scene, 'Again');
    expect((await drift(scene)).stderr).toContain('Edited: ');
    expect(github.world.issues).toMatchObject([{ isOpen: true }]);
  });

  // CAMPAIGN-7
  it('keeps the issue while a stop may be half done, although live shows the stop', async () => {
    const scene = await inSchedule();
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status: 'archived' })] }));
    await scene.fault({ kind: 'partial_commit', operation: 'campaigns.set-status' });
    expect((await applied(scene)).code).toBe(3);
    expect((await drift(scene, '--detailed-exitcode')).code).toBe(2);
    const [issue] = github.world.issues;
    expect(issue?.body).toContain('### Herald drift: 1 blocked');
    expect(issue?.body).toContain('got no answer and may still succeed until');
    await scene.service((control) => control.clearFaults());
    expect((await applied(scene)).code).toBe(0);
    await drift(scene);
    expect(issue).toMatchObject({ isOpen: false });
  });

  it('shows the drift also if the provider refuses, and then fails', async () => {
    const scene = await inSchedule();
    await edit(scene, 'By hand');
    github.world.tokens.set('bot-token', { account: BOT, rights: 'read' });
    const ran = await drift(scene, '--format', 'json');
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ changes: [{ action: 'replace' }] });
    expect(ran.stderr).toContain('error: Could not open an issue: POST ');
    expect(ran.stderr).toContain('the permission that this writes for it: herald ci init');
    expect(ran.stdout + ran.stderr).not.toContain('bot-token');
  });

  it('leaves the issue as it is if the service cannot be read', async () => {
    const scene = await inSchedule();
    await edit(scene, 'By hand');
    await drift(scene);
    const how = { how: 'connect ECONNREFUSED', when: 'before_commit' } as const;
    await scene.fault({ kind: 'broken_answer', operation: 'campaigns.list', ...how });
    expect((await drift(scene)).code).toBe(1);
    expect(github.world.issues).toMatchObject([{ isOpen: true }]);
  });

  it('outside of a known CI, only shows the drift', async () => {
    const scene = await inSchedule();
    await edit(scene, 'By hand');
    const ran = await drift(scene, '--provider', 'generic');
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toContain('No issue: ');
    expect(github.requests).toEqual([]);
  });
});

/** A workspace with one campaign that is live, in a scheduled job of GitHub. */
async function inSchedule(): Promise<Scene> {
  const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
  expect((await applied(scene)).code).toBe(0);
  Object.assign(scene.env, github.env, SCHEDULED);
  return scene;
}

const drift = (scene: Scene, ...flags: readonly string[]) =>
  scene.herald('ci', 'drift', '--simulator', ...flags);

function edit(scene: Scene, text: string): Promise<void> {
  return editLive(scene, 'campaign', { messages: [{ text }] });
}
