import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stateShape } from '../../src/domain/reports.ts';
import { anEvent } from '../helpers/event-builders.ts';
import { documentOf } from '../helpers/flows.ts';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';
import { FILES_IN_FOLDER, SHARED, TEAM_FILES, teamOf } from '../helpers/postgres-team.ts';
import { heraldWithPostgres } from '../helpers/herald-with-postgres.ts';

const real = heraldWithPostgres();

const aTeam = (files?: Readonly<Record<string, string>>) => teamOf(real, files);
const DATABASE = 'HERALD_STATE_URL/agency-eu';

describe('a folder with a ledger that moves to a database', () => {
  it('plans and applies nothing next to an empty database, until its lines were moved', async () => {
    const { runner, live, writes, url } = await aTeam(FILES_IN_FOLDER);
    const { directory, run } = runner();
    expect((await run('apply', '--yes')).code).toBe(0);
    const sent = writes();
    writeFileSync(join(directory, 'herald.yaml'), SHARED);
    expect((await run('state', 'init')).code).toBe(0);
    for (const args of [['plan'], ['apply', '--yes'], ['drift'], ['history'], ['state', 'check']]) {
      const refused = await run(...args);
      expect([refused.code, refused.stderr], args.join(' ')).toEqual([
        1,
        expect.stringContaining(`herald state migrate .herald ${DATABASE}`),
      ]);
    }
    expect(writes()).toBe(sent);
    const event = anEvent({ event_id: 'moved-with-it', event: 'fans.tip.received' });
    mkdirSync(join(directory, '.herald/events'));
    writeFileSync(
      join(directory, '.herald/events/20260601T120000000-of-before.jsonl'),
      `${JSON.stringify(event)}\n`,
    );
    const moved = await run('state', 'migrate', '.herald', DATABASE);
    expect(moved.code, moved.stderr).toBe(0);
    expect(moved.stdout).toContain('Moved 1 event too.');
    expect(readdirSync(join(directory, '.herald/events'))).toEqual([]);
    expect((await run('events', 'show', 'moved-with-it')).code).toBe(0);
    expect(moved.stdout).toContain('Next: herald plan');
    expect(moved.stdout).toMatch(/Both have the same \d+ lines \(sha256:[0-9a-f]{64}\)/);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(writes()).toBe(sent);
    expect(live()).toEqual(['Welcome active']);
    const old = runner({
      ...FILES_IN_FOLDER,
      [LEDGER_FILE]: readFileSync(join(directory, LEDGER_FILE), 'utf8'),
    });
    for (const args of [
      ['plan'],
      ['apply', '--yes'],
      ['campaigns', 'pause', 'alice/campaign/Welcome', '--yes'],
    ]) {
      const refused = await old.run(...args);
      expect([refused.code, refused.stderr], args.join(' ')).toEqual([
        1,
        expect.stringContaining('state: { postgres: "${HERALD_STATE_URL}", workspace: "agency-eu" }'),
      ]);
      expect(refused.stdout + refused.stderr).not.toContain(
        new URL(url.replace('@/', '@localhost/')).password,
      );
    }
    expect(live()).toEqual(['Welcome active']);
  });

  it('is moved back, and on to another workspace of the database, and each old place is refused', async () => {
    const { runner, live } = await aTeam();
    const { directory, run } = runner();
    await run('state', 'init');
    expect((await run('apply', '--yes')).code).toBe(0);
    const other = 'HERALD_STATE_URL/agency us';
    const on = await run('state', 'migrate', DATABASE, other, '--format', 'json');
    expect(documentOf(on, stateShape)).toMatchObject({
      place: expect.stringContaining('(workspace agency us)'),
      change: { did: 'migrate', added: expect.any(Number) },
    });
    const refused = await run('plan');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('state: { postgres: "${HERALD_STATE_URL}", workspace: "agency us" }'),
    ]);
    const back = await run('state', 'migrate', other, '.herald');
    expect(back.stdout).toContain('write in herald.yaml: state: .herald');
    writeFileSync(join(directory, 'herald.yaml'), FILES_IN_FOLDER['herald.yaml']);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    expect(live()).toEqual(['Welcome active']);
  });

  it('is refused an empty database that its lines did not go to', async () => {
    const { runner } = await aTeam(FILES_IN_FOLDER);
    const { directory, run, runAt } = runner();
    await run('apply', '--yes');
    expect((await run('state', 'migrate', '.herald', DATABASE)).code).toBe(0);
    writeFileSync(join(directory, 'herald.yaml'), SHARED);
    const elsewhere = await real.server.newDatabase();
    await runAt(elsewhere, 'state', 'init');
    const refused = await runAt(elsewhere, 'apply', '--yes');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/is empty, and the ledger of this folder was moved to postgres:.*agency-eu/),
    ]);
  });

  it('stays where it is while a run has the lease, and for a place that cannot be read', async () => {
    const { served, runner } = await aTeam();
    const { run } = runner();
    await run('state', 'init');
    served.simulator.control.addFault({
      kind: 'slow',
      operation: 'campaigns.create',
      delay_ms: 1_000,
      nth: 1,
    });
    const apply = run('apply', '--yes');
    await served.arrival('campaigns.create');
    const held = await run('state', 'migrate', DATABASE, '.herald');
    expect([held.code, held.stderr]).toEqual([1, expect.stringContaining('Another herald run is active')]);
    expect((await apply).code).toBe(0);
    for (const [from, to] of [
      ['ledger.ndjson', DATABASE],
      ['.herald', 'HERALD_NO_SUCH/agency-eu'],
      ['.herald', '.herald'],
      ['.herald', 'postgres://ana:hidden-pass@db.example/herald'],
    ] as const) {
      const refused = await run('state', 'migrate', from, to);
      expect(refused.code, `${from} ${to}`).toBe(1);
      expect(refused.stderr).not.toMatch(/\n\s+at |bug in Herald/);
    }
  });
});

describe('lines of a file', () => {
  it('are added once, and a file with a line that is not of a ledger adds nothing', async () => {
    const { client, runner } = await aTeam();
    const { directory, run } = runner();
    await run('state', 'init');
    await run('apply', '--yes');
    const file = join(directory, 'rescue.ndjson');
    const pulled = await run('state', 'pull', 'rescue.ndjson', '--format', 'json');
    const { change } = documentOf(pulled, stateShape);
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(change).toMatchObject({ did: 'pull', lines: lines.length });
    expect((await run('state', 'pull', 'rescue.ndjson')).stderr).toContain('exists already');
    await client.query('DELETE FROM herald.ledger_lines WHERE line LIKE \'%"outcome"%\'');
    await client.query(
      'UPDATE herald.workspaces SET last_position = 1, ledger_bytes = (SELECT octet_length(line) + 1 FROM herald.ledger_lines)',
    );
    const pushed = await run('state', 'push', 'rescue.ndjson');
    expect([pushed.code, pushed.stdout]).toEqual([
      0,
      expect.stringContaining(`Added ${lines.length - 1} line`),
    ]);
    const again = await run('state', 'push', 'rescue.ndjson', '--format', 'json');
    expect(documentOf(again, stateShape)).toMatchObject({ lines: lines.length, change: { added: 0 } });
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    writeFileSync(file, `${lines.join('\n')}\n{"type":"inte`);
    const torn = await run('state', 'push', 'rescue.ndjson');
    expect([torn.code, torn.stderr]).toEqual([0, expect.stringContaining('the last line was cut off')]);
    writeFileSync(file, `<<<<<<< ours\n${lines.join('\n')}\n`);
    const damaged = await run('state', 'push', 'rescue.ndjson');
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringContaining('1 line cannot be read (1)')]);
  });

  it('are added to a ledger of files as well', async () => {
    const { runner } = await aTeam(FILES_IN_FOLDER);
    const [ana, bo] = [runner(), runner()];
    await ana.run('apply', '--yes');
    const pushed = await bo.run('state', 'push', join(ana.directory, LEDGER_FILE));
    expect(pushed.code, pushed.stderr).toBe(0);
    expect(readFileSync(join(bo.directory, LEDGER_FILE), 'utf8')).toBe(
      readFileSync(join(ana.directory, LEDGER_FILE), 'utf8'),
    );
    expect((await bo.run('plan', '--detailed-exitcode')).code).toBe(0);
  });
});

describe('a lease that is ended by hand', () => {
  it('needs --force while it lasts, and its holder can never write or send again', async () => {
    const { served, client, runner, live } = await aTeam({
      ...TEAM_FILES,
      'herald.yaml': SHARED.replace('lease_sec: 10', 'lease_sec: 600'),
    });
    const [ana, bo] = [runner(), runner()];
    await ana.run('state', 'init');
    expect((await ana.run('state', 'unlock')).stdout).toContain('There is nothing to unlock');
    served.simulator.control.addFault({
      kind: 'slow',
      operation: 'campaigns.create',
      delay_ms: 1_000,
      nth: 1,
    });
    const paused = ana.start('apply', '--yes');
    await served.arrival('campaigns.create');
    paused.kill('SIGSTOP');
    const refused = await bo.run('state', 'unlock', '--yes');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('herald state unlock --force'),
    ]);
    expect(refused.stderr).toMatch(/held by .*process \d+ on .* since /);
    expect((await bo.run('state', 'unlock', '--force')).stderr).toContain('--yes');
    const freed = await bo.run('state', 'unlock', '--force', '--yes', '--format', 'json');
    expect(documentOf(freed, stateShape)).toMatchObject({
      holder: null,
      change: { did: 'unlock', holder: expect.stringMatching(/process \d+ on /) },
    });
    const second = await bo.run('apply', '--yes');
    expect(second.code, second.stdout + second.stderr).toBe(0);
    paused.kill('SIGCONT');
    const woken = await paused.ran;
    expect([3, 4], woken.stdout + woken.stderr).toContain(woken.code);
    expect(live()).toEqual(['Welcome active']);
    const { rows } = await client.query<{ fence: string }>(
      'SELECT fence FROM herald.ledger_lines ORDER BY position',
    );
    expect(rows.map(({ fence }) => fence)).toEqual(rows.map(({ fence }) => fence).toSorted());
    expect(new Set(rows.map(({ fence }) => fence))).toEqual(new Set(['1', '3']));
  });

  it('is that of the folder, too', async () => {
    const { served, runner } = await aTeam(FILES_IN_FOLDER);
    const { directory, run, start } = runner();
    served.simulator.control.addFault({
      kind: 'slow',
      operation: 'campaigns.create',
      delay_ms: 5_000,
      nth: 1,
    });
    const killed = start('apply', '--yes');
    await served.arrival('campaigns.create');
    expect((await run('state', 'unlock', '--yes')).stderr).toContain('--force');
    killed.kill('SIGKILL');
    await killed.ran;
    const freed = await run('state', 'unlock', '--yes');
    expect(freed.code, freed.stderr).toBe(0);
    expect(existsSync(join(directory, '.herald/apply.lock'))).toBe(false);
  });
});

describe('state check and show', () => {
  it('show who may do what, and rows that were removed by hand', async () => {
    const { client, runner } = await aTeam();
    const { run } = runner();
    await run('state', 'init');
    await run('apply', '--yes');
    expect(await run('state', 'check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('can be used'),
    });
    await client.query('DELETE FROM herald.ledger_lines WHERE position = 1');
    const damaged = await run('state', 'check');
    expect([damaged.code, damaged.stderr]).toEqual([1, expect.stringMatching(/Rows were changed by hand/)]);
    const plan = await run('plan');
    expect([plan.code, plan.stderr]).toEqual([1, expect.stringContaining('herald state check')]);
  });
});
