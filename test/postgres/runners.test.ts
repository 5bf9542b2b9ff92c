import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { documentOf } from '../helpers/flows.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { postgresProxy } from '../helpers/postgres-proxy.ts';
import { SHARED, TEAM_FILES, teamOf } from '../helpers/postgres-team.ts';
import { heraldWithPostgres } from '../helpers/herald-with-postgres.ts';

const real = heraldWithPostgres();

const aTeam = (files?: Readonly<Record<string, string>>) => teamOf(real, files);

/** Lines that a run kept in its workspace because the database did not take them. */
function rescuedIn(directory: string): readonly unknown[] {
  const folder = join(directory, '.herald');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => /^rescue-.*\.ndjson$/.test(name))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as unknown);
}

describe('two runners with a database', () => {
  it('make one message in the end, when the first is killed in the middle of its create', async () => {
    const { served, client, runner, live, endLease } = await aTeam();
    const [first, second] = [runner(), runner()];
    expect((await first.run('state', 'init')).stdout).toContain('The schema is set up.');
    served.simulator.control.addFault({
      kind: 'slow',
      operation: 'campaigns.create',
      delay_ms: 20_000,
      nth: 1,
    });
    const killed = first.start('apply', '--yes');
    await served.arrival('campaigns.create');
    const held = await second.run('apply', '--yes');
    expect(held.code).toBe(1);
    expect(held.stderr).toMatch(/Another herald run is active: .*process \d+ on .*since /);
    killed.kill('SIGKILL');
    await killed.ran;
    await endLease();
    const ran = await second.run('apply', '--yes', '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    const { outcomes } = documentOf(ran, applyReportShape);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['adopted']);
    expect(outcomes[0]?.message).toContain('found for a create of an earlier run that got no answer');
    expect(live()).toEqual(['Welcome active']);
    const { rows } = await client.query('SELECT DISTINCT fence FROM herald.ledger_lines ORDER BY fence');
    expect(rows).toEqual([{ fence: '1' }, { fence: '2' }]);
    expect(existsSync(join(second.directory, '.herald/ledger.ndjson'))).toBe(false);
    expect((await first.run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  it('have no text of a message in the database with `store_texts: false`, and still find a lost create', async () => {
    const files = {
      ...TEAM_FILES,
      'herald.yaml': `${SHARED}  store_texts: false\n`,
    };
    const { served, client, runner, live } = await aTeam(files);
    const { run } = runner();
    await run('state', 'init');
    served.simulator.control.addFault({
      kind: 'broken_answer',
      operation: 'campaigns.create',
      when: 'after_commit',
      how: 'reset',
      nth: 1,
    });
    const ran = await run('apply', '--yes', '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    expect(documentOf(ran, applyReportShape).outcomes.map(({ outcome }) => outcome)).toEqual(['adopted']);
    expect(live()).toEqual(['Welcome active']);
    const { rows } = await client.query<{ line: string }>('SELECT line FROM herald.ledger_lines');
    const lines = rows.map(({ line }) => line).join('\n');
    expect(lines).toContain('text-sha256:');
    expect(lines).not.toContain('"text":"Hey');
  });

  it('leave the lease free, and show where the state is without the password', async () => {
    const { url, runner } = await aTeam();
    const { run } = runner();
    await run('state', 'init');
    expect((await run('apply', '--yes')).code).toBe(0);
    const shown = await run('state', 'show', '--format', 'json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      schema: 'herald/state/1',
      place: expect.stringContaining('(workspace agency-eu)'),
      holder: null,
      writers: [{ who: expect.any(String) }],
    });
    const password = new URL(url.replace('@/', '@localhost/')).password;
    expect(shown.stdout + shown.stderr).not.toContain(password);
  });

  it.each([
    ['goes away for good', 'close', [3, 4]],
    ['drops its connections', 'cutAll', [0]],
  ] as const)(
    'record a request or say that it is missing, when the database %s under it',
    async (_, fails, codes) => {
      const { url, client, served, runner, live } = await aTeam({
        ...TEAM_FILES,
        'herald.yaml': SHARED.replace('lease_sec: 10', 'lease_sec: 10\n  retry_sec: 1'),
      });
      const { directory, run, runAt } = runner();
      await run('state', 'init');
      const proxy = await postgresProxy(url);
      onTestFinished(() => proxy.close());
      served.simulator.control.addFault({
        kind: 'slow',
        operation: 'campaigns.create',
        delay_ms: 500,
        nth: 1,
      });
      const apply = runAt(proxy.url, 'apply', '--yes');
      await served.arrival('campaigns.create');
      proxy[fails]();
      const ran = await apply;
      const said = ran.stdout + ran.stderr;
      expect(codes, said).toContain(ran.code);
      expect(said).not.toMatch(/\n\s+at |bug in Herald|pass-of-the-test/);
      expect(said.includes('The ledger is incomplete')).toBe(fails === 'close');
      expect(rescuedIn(directory)).toEqual(
        fails === 'close' ? [expect.objectContaining({ type: 'outcome', outcome: 'done' })] : [],
      );
      expect(live()).toEqual(['Welcome active']);
      await client.query('DELETE FROM herald.leases');
      expect((await run('apply', '--yes')).code).toBe(0);
      expect(live()).toEqual(['Welcome active']);
    },
  );

  it('stop before anything is sent when the database is not set up, not named or gone', async () => {
    const { served, runner } = await aTeam();
    const { directory, run, runAt } = runner();
    const missing = await run('apply', '--yes');
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('herald state init')]);
    const unnamed = await heraldHere(directory, { args: ['apply', '--yes'], env: served.env });
    expect([unnamed.code, unnamed.stderr]).toEqual([
      1,
      expect.stringContaining('Set HERALD_STATE_URL to postgres://'),
    ]);
    const gone = 'postgres://ana:hidden-pass@127.0.0.1:1/gone';
    const unreachable = await runAt(gone, 'apply', '--yes');
    expect([unreachable.code, unreachable.stderr]).toEqual([
      1,
      expect.stringContaining('postgres://127.0.0.1:1/gone cannot be reached'),
    ]);
    expect(unreachable.stderr).not.toContain('hidden-pass');
    expect(served.simulator.world.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await heraldHere(directory, { args: ['validate'], env: served.env })).code).toBe(0);
  });
});
