import { mkdtempSync, renameSync, rmSync, writeFileSync, appendFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LEDGER_BEGIN } from '../../src/domain/ledger-store.ts';
import { fileState } from '../../src/host/file-state.ts';
import { HELD_LEASE } from '../helpers/ledger-builders.ts';
import { memoryLeases } from '../helpers/memory-leases.ts';
import { memoryLedgerStore } from '../helpers/memory-ledger-store.ts';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';
import { describeState, type Fixture } from '../helpers/state-contract.ts';

function files(): Fixture {
  const directory = mkdtempSync(join(tmpdir(), 'herald-store-'));
  const path = join(directory, LEDGER_FILE);
  const run = (pid: number) =>
    fileState(directory, { pid, host: 'here', isAlive: () => true, kernel: null, bootedMs: 0 });
  mkdirSync(join(directory, '.herald'));
  return {
    state: run(1),
    other: run(2),
    replace: (lines) => {
      writeFileSync(`${path}.new`, lines.map((line) => `${line}\n`).join(''));
      renameSync(`${path}.new`, path);
    },
    tear: (part) => appendFileSync(path, part),
    steal: async () => {
      rmSync(join(directory, '.herald/apply.lock'), { recursive: true });
      await run(2).leases.take();
    },
    lease: async () => HELD_LEASE,
    end: () => rmSync(directory, { recursive: true, force: true }),
  };
}

function memory(): Fixture {
  const ledger = memoryLedgerStore();
  const leases = memoryLeases();
  return {
    state: { ledger, leases },
    other: { ledger, leases },
    replace: ledger.replace,
    tear: ledger.tear,
    steal: async () => leases.steal(),
    lease: async () => HELD_LEASE,
    end: () => undefined,
  };
}

it('a ledger of files is not replaced by a run that loses its lock while it writes', async () => {
  const { state, steal, end } = files();
  const lease = await state.leases.take();
  const writer = await state.ledger.openToAppend(lease);
  await writer.append('{"line":1}');
  await writer.close();
  const lines = await state.ledger.open();
  let stolen = Promise.resolve();
  const instead = () => {
    stolen = steal();
    return [];
  };
  const edit = { marks: [], instead, isArchived: () => false, archive: null };
  await expect(state.ledger.compact(lines, edit, lease)).rejects.toThrow('nothing was changed, because');
  await Promise.all([stolen, lines.close()]);
  const left = await state.ledger.open();
  const texts: string[] = [];
  await left.read(LEDGER_BEGIN, (text) => texts.push(text));
  await left.close();
  expect(texts).toEqual(['{"line":1}']);
  await end();
});

/** A compaction that changes nothing, with what happens between its last look at the ledger and its end. */
async function compacted(meanwhile: (fixture: Fixture) => void | Promise<void>) {
  const fixture = files();
  const { state, other, end } = fixture;
  const writer = await state.ledger.openToAppend(HELD_LEASE);
  await writer.append('{"line":1}');
  const lines = await state.ledger.open();
  const lost = async () => {
    await meanwhile(fixture);
    return null;
  };
  const edit = { marks: [], instead: () => null, isArchived: () => false, archive: null };
  const done = await state.ledger.compact(lines, edit, { ...HELD_LEASE, lost }).then(
    () => 'replaced',
    (error: Error) => error.message,
  );
  await Promise.all([lines.close(), writer.close()]);
  const texts: string[] = [];
  const left = await other.ledger.open();
  await left.read(LEDGER_BEGIN, (text) => texts.push(text));
  await left.close();
  await end();
  return { done, texts };
}

it('a compaction of files takes over what another process adds after it was read', async () => {
  const { done, texts } = await compacted(async ({ other, tear }) => {
    const writer = await other.ledger.openToAppend(null);
    await writer.append('{"line":2}');
    await writer.close();
    tear?.('{"line":3}');
  });
  expect([done, texts]).toEqual(['replaced', ['{"line":1}', '{"line":2}', '{"line":3}']]);
});

it('a compaction of files replaces nothing where another file has taken its place', async () => {
  const { done, texts } = await compacted(({ replace }) => replace(['{"line":1}', '{"line":"merged"}']));
  expect(done).toContain('another file has taken its place, as after a git pull');
  expect(texts).toEqual(['{"line":1}', '{"line":"merged"}']);
});

describeState('a ledger of files', files, { tears: true, keepsViews: false });
describeState('a ledger in memory', memory, { tears: true, keepsViews: true });
