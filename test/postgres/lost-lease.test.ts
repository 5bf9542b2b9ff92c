import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf } from '../helpers/flows.ts';
import { SHARED, teamOf } from '../helpers/postgres-team.ts';
import { heraldWithPostgres } from '../helpers/herald-with-postgres.ts';

const real = heraldWithPostgres();

const TWO = {
  'herald.yaml': SHARED,
  ...declaring({ campaigns: [campaign({ name: 'First' }), campaign({ name: 'Second' })] }),
};
const CREATES = 'campaigns.create';

/** An apply that is stopped while its first create is on its way, and a second runner that takes its lease. */
async function pausedApply() {
  const team = await teamOf(real, TWO);
  const { served, runner, endLease } = team;
  const [first, second] = [runner(), runner()];
  await first.run('state', 'init');
  served.simulator.control.addFault({ kind: 'slow', operation: CREATES, delay_ms: 500, nth: 1 });
  const paused = first.start('apply', '--yes', '--format', 'json');
  await served.arrival(CREATES);
  paused.kill('SIGSTOP');
  await endLease();
  return { ...team, first, second, paused };
}

describe('a process that was paused past the end of its lease', () => {
  it('sends nothing more and says so, and the next holder resolves what was on its way', async () => {
    const { served, client, live, first, second, paused } = await pausedApply();
    const next = await second.run('apply', '--yes', '--format', 'json');
    expect(next.code, next.stderr).toBe(0);
    const found = documentOf(next, applyReportShape).outcomes.map(
      ({ address: { name }, outcome }) => `${name} ${outcome}`,
    );
    expect(found).toEqual(['First adopted', 'Second applied']);
    const { length: sent } = writes(served);
    paused.kill('SIGCONT');
    const ran = await paused.ran;
    expect([3, 4], ran.stderr).toContain(ran.code);
    expect(ran.stderr).toMatch(/lease-lost: This run lost the lease: .*agency-eu/);
    const path = /herald state push (\S+)/.exec(ran.stderr)?.[1] ?? '';
    const rescued = readFileSync(join(first.directory, path), 'utf8').trimEnd().split('\n');
    expect(rescued.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ type: 'outcome', outcome: 'done' }),
    );
    expect(writes(served).length, 'writes of the paused process').toBe(sent);
    expect(live().toSorted()).toEqual(['First active', 'Second active']);
    const { rows } = await client.query<{ fence: string }>(
      'SELECT fence FROM herald.ledger_lines ORDER BY position',
    );
    const fences = rows.map(({ fence }) => Number(fence));
    expect(fences, 'no line of the first holder after one of the second').toEqual(fences.toSorted());
    expect((await second.run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  it('sends nothing more although no other run has taken the lease', async () => {
    const { served, live, second, paused } = await pausedApply();
    const { length: sent } = writes(served);
    paused.kill('SIGCONT');
    const ran = await paused.ran;
    expect([3, 4], ran.stderr).toContain(ran.code);
    expect(ran.stderr).toContain('because it could not be renewed in time');
    expect(writes(served).length).toBe(sent);
    expect(live()).toEqual(['First active']);
    expect((await second.run('apply', '--yes')).code).toBe(0);
    expect(live().toSorted()).toEqual(['First active', 'Second active']);
  });
});

function writes({ simulator }: Awaited<ReturnType<typeof teamOf>>['served']) {
  return simulator.world.requests.filter(({ method }) => method !== 'GET');
}
