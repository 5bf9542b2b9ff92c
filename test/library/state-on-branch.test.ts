import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { stateShape } from '../../src/cli/schemas.ts';
import { workspaceFiles } from '../../src/host/files.ts';
import { systemClock } from '../../src/host/clock.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld, serializeWorld } from '../../src/simulator/world.ts';
import { nodePorts } from '../../src/library/ports.ts';
import { documentOf, expectEnd } from '../helpers/flows.ts';
import { aRepository, type TestRepository } from '../helpers/git-repository.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { begun, CREATE } from '../helpers/state-requests.ts';

const WORKSPACE = `version: 1
service: { simulator: .herald/world.json, settle_sec: 1 }
accounts: { alice: { id: "101" } }
state: { git_branch: herald-state }
`;
/** A world that no run has made yet. */
const SERVICE = { service: () => 'simulator:.herald/world.json?world=none' };

const AT_ONCE = { lockTimeoutMs: 0, report: () => undefined };

/** The state of a checkout, as `herald ci apply` opens it. */
const accessIn = (directory: string) =>
  nodePorts({ directory, env: process.env, who: 'ci', process: 'job 7' }).state;

describe('with state: { git_branch: herald-state }', () => {
  let checkout: TestRepository;
  let remote: string;
  let folder: string;
  beforeEach(() => {
    remote = temporaryFolder();
    checkout = aRepository();
    checkout.git('init', '--quiet', '--bare', remote);
    checkout.git('remote', 'add', 'origin', `file://${remote}`);
    checkout.commit({ 'ads/eu/herald.yaml': WORKSPACE });
    checkout.git('push', '--quiet', 'origin', 'main');
    folder = join(checkout.directory, 'ads/eu');
  });

  it('a job records on the branch, and a person elsewhere sees it, closes it, and cannot apply', async () => {
    const job = await accessIn(folder).take(SERVICE, { ...AT_ONCE, command: null });
    const { entry } = await begun(job, CREATE);
    await job.close();
    expect(checkout.git('--git-dir', remote, 'ls-tree', '-r', '--name-only', 'herald-state')).toBe(
      'ads/eu/state.ndjson',
    );
    const elsewhere = temporaryFolder();
    checkout.git('clone', '--quiet', '--branch=main', `file://${remote}`, elsewhere);
    const place = join(elsewhere, 'ads/eu');
    await expect(accessIn(place).take(SERVICE, { ...AT_ONCE, command: 'apply' })).rejects.toMatchObject({
      code: 'state-read-only',
    });
    const show = () => heraldHere(place, { args: ['state', 'show', '--format', 'json'] });
    expect(documentOf(await show(), stateShape)).toMatchObject({
      place: 'the branch herald-state',
      kind: 'branch',
      unconfirmed: [{ entry, who: 'ci' }],
    });
    const close = ['state', 'close', entry, '--because', 'it is not there', '--yes'];
    expect(await heraldHere(place, { args: close })).toMatchObject({ code: 0 });
    expect(documentOf(await show(), stateShape).unconfirmed).toEqual([]);
  });

  const DECLARED = `accounts: [alice]
campaigns:
  - { name: Welcome, trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: Hey }] }
`;

  const run = (...args: string[]) => heraldHere(folder, { args });
  const declare = async () => {
    await workspaceFiles(folder).writeAtomically('herald.yaml', `${WORKSPACE}files: [a.yaml]\n`);
    await workspaceFiles(folder).writeAtomically('a.yaml', DECLARED);
  };

  it('a plan and every refused command say what works instead', async () => {
    await declare();
    const planned = await run('plan');
    expect(planned.stderr).toContain(
      'Next: merge a pull request with these files, and its job applies them. For what differs only on the service, add ci: { scope: all } to herald.yaml in it.',
    );
    expect((await run('plan', '--out', 'plan.json')).stderr).not.toContain('herald apply');
    const hint = async (...args: string[]) => (await run(...args)).stderr.trimEnd().split('\n').at(-1);
    const start = ['campaigns', 'activate', 'alice/campaign/Welcome', '--yes'];
    for (const args of [['apply', '--yes'], start])
      expect(await hint(...args)).toBe(
        'Merge a pull request, and its job applies it, or every difference with ci: { scope: all } in herald.yaml. To start all that people stopped and the files declare to run, add allow: [resume] to herald.yaml in one, and remove it in the next.',
      );
    expect(await hint('fans', 'follow', '101001', '--account', 'alice', '--yes')).toBe(
      'Keep the state in a database, such as state: { postgres: "${HERALD_STATE_URL}", workspace: NAME }, or in the folder of the workspace, without state:.',
    );
  });

  it('a drift, a blocked plan and a stop by hand say what works in place of the commands that they name', async () => {
    await declare();
    const instead =
      'The state is on a branch, so in place of herald apply, herald campaigns activate, herald broadcasts resume: merge a pull request, and its job applies it. With ci: { scope: all } in herald.yaml, its plan has every difference; for what needs --allow, add allow: there.';
    expectEnd(await run('drift'), 2, instead);
    const issue = await run('drift', '--format', 'markdown');
    expect(issue.stdout).toContain(`apply</code>\n- ${instead}\n`);
    const stop = await run('campaigns', 'pause', '77', '--account', 'alice', '--yes');
    expect(stop.stderr).toContain(instead);
    const paused = createWorld({});
    const { control } = createSimulator(paused, { clock: systemClock });
    control.seedCampaign('101', { id: '77', name: 'Welcome', status: 'paused' });
    await workspaceFiles(folder).writeAtomically('.herald/world.json', serializeWorld(paused));
    const pause = () => run('campaigns', 'pause', 'alice/campaign/Welcome', '--yes');
    const again = await pause();
    expect([again.code, again.stdout]).toEqual([
      4,
      expect.stringContaining('the branch herald-state, which only herald ci apply writes'),
    ]);
    expectEnd(await run('plan'), 5, instead);
    const job = await accessIn(folder).take(SERVICE, { ...AT_ONCE, command: null });
    const next = await pause();
    await job.close();
    expect([next.code, next.stdout]).toEqual([
      3,
      expect.stringContaining(
        'A run of ci, job 7 works on the state meanwhile, and may start this after it.',
      ),
    ]);
    expect((await run('drift', '--format', 'json')).stderr).not.toContain(instead);
  });

  it('says what to do outside of a repository, and where the remote cannot be reached', async () => {
    const outside = temporaryFolder();
    checkout.git('clone', '--quiet', '--branch=main', `file://${remote}`, join(outside, 'clone'));
    const place = join(outside, 'clone/ads/eu');
    checkout.git('-C', place, 'remote', 'set-url', 'origin', `file://${outside}/gone`);
    const gone = await heraldHere(place, { args: ['state', 'show'] });
    expectEnd(gone, 1, 'git ls-remote origin refs/heads/herald-state');
    mkdirSync(join(outside, 'plain'));
    await workspaceFiles(join(outside, 'plain')).writeAtomically('herald.yaml', WORKSPACE);
    const plain = await heraldHere(join(outside, 'plain'), { args: ['state', 'show'] });
    expectEnd(plain, 1, 'this folder is not in a git repository');
  });
});
