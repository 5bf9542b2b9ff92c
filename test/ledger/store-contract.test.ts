import { mkdtempSync, renameSync, rmSync, writeFileSync, appendFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

describeState('a ledger of files', files, { tears: true, keepsViews: false });
describeState('a ledger in memory', memory, { tears: true, keepsViews: true });
