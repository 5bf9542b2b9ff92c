import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LockHeldError } from '../../src/domain/lease.ts';
import { LEDGER_BEGIN, type LedgerStore, type SharedState } from '../../src/domain/ledger-store.ts';
import type { LedgerTransfer } from '../../src/domain/ledger-transfer.ts';
import { fileState } from '../../src/host/file-state.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { memoryLeases } from '../helpers/memory-leases.ts';
import { memoryLedgerStore } from '../helpers/memory-ledger-store.ts';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';

const LINES = ['{"line":1}', '{"line":2,"text":"añadido"}', '{"line":3}'];
const TERMS = { at: '2026-06-01T12:00:00.000Z', who: 'ana', force: false };

/** A folder with a ledger of files, and a store of another kind. */
function twoPlaces(lines: readonly string[] = LINES) {
  const directory = mkdtempSync(join(tmpdir(), 'herald-migrate-'));
  mkdirSync(join(directory, '.herald'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, LEDGER_FILE);
  if (lines.length > 0) writeFileSync(path, lines.map((line) => `${line}\n`).join(''));
  const run = (pid: number) =>
    fileState(directory, { pid, host: 'here', isAlive: () => true, kernel: null, bootedMs: 0 });
  const files = run(1);
  const memory: SharedState = { ledger: memoryLedgerStore(), leases: memoryLeases() };
  return { path, files, other: run(2), memory };
}

async function linesOf(ledger: LedgerStore): Promise<readonly string[]> {
  const opened = await ledger.open();
  const texts: string[] = [];
  await opened.read(LEDGER_BEGIN, (text) => texts.push(text));
  await opened.close();
  return texts;
}

/** Whether a run finds lines in the ledger. */
const isUsed = ({ ledger }: SharedState) =>
  linesOf(ledger).then(
    (lines) => lines.length > 0,
    () => false,
  );

/** The state as a process sees it that is killed right before its call of that number, or after it. */
function killedAt(state: SharedState, calls: { left: number }): SharedState {
  const deadly =
    <Input extends readonly unknown[], Result>(work: (...input: Input) => Promise<Result>) =>
    async (...input: Input): Promise<Result> => {
      if ((calls.left -= 1) === 0) throw new Error('killed before');
      const result = await work(...input);
      if ((calls.left -= 1) === 0) throw new Error('killed after');
      return result;
    };
  const { transfer } = state.ledger;
  const mortal: LedgerTransfer = {
    ...transfer,
    setMark: deadly(transfer.setMark),
    unite: deadly(transfer.unite),
    uniteArchive: deadly(transfer.uniteArchive),
  };
  return { ...state, ledger: { ...state.ledger, transfer: mortal } };
}

describe('a ledger that is moved', () => {
  it('is in the new place alone, and the old one names it', async () => {
    const { files, memory } = twoPlaces();
    const moved = await migrateLedger(files, memory, TERMS);
    expect(moved).toMatchObject({
      lines: 3,
      added: 3,
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(await linesOf(memory.ledger)).toEqual(LINES);
    await expect(files.ledger.open()).rejects.toMatchObject({
      code: 'state-moved',
      message: expect.stringContaining('the ledger in memory by ana at 2026-06-01T12:00:00.000Z'),
    });
    await expect(files.ledger.openToAppend(null)).rejects.toMatchObject({ code: 'state-moved' });
  });

  it('can be moved back, with what was added meanwhile', async () => {
    const { files, memory } = twoPlaces();
    const there = await migrateLedger(files, memory, TERMS);
    const again = await migrateLedger(files, memory, TERMS);
    expect(again).toMatchObject({ added: 0, digest: there.digest });
    await (await memory.ledger.openToAppend(null)).append('{"line":4}');
    expect(await migrateLedger(memory, files, TERMS)).toMatchObject({ lines: 4, added: 1 });
    expect(await linesOf(files.ledger)).toEqual([...LINES, '{"line":4}']);
    expect(await isUsed(memory)).toBe(false);
  });

  it('goes with its archives, which history finds under the name of the new place', async () => {
    const { files, memory } = twoPlaces();
    await files.ledger.transfer.uniteArchive(files.ledger.archiveFor('2026-03-01T00:00:00Z'), [
      ['{"old":1}'],
    ]);
    expect(await migrateLedger(files, memory, TERMS)).toMatchObject({ archives: 1 });
    expect((await memory.ledger.archives()).map(({ name }) => name)).toEqual(['archive 2026-03-01']);
    await migrateLedger(memory, files, TERMS);
    expect((await files.ledger.archives()).map(({ name }) => name)).toEqual([
      '.herald/ledger-archive-2026-03-01.ndjson',
    ]);
  });

  it.each(['files to memory', 'memory to files'])(
    'is never in use in both places, wherever the move is killed, and the same command finishes it: %s',
    async (direction) => {
      for (let call = 1, isOver = false; !isOver; call += 1) {
        const { files, memory } = twoPlaces();
        if (direction === 'memory to files') await migrateLedger(files, memory, TERMS);
        const [from, to] = direction === 'memory to files' ? [memory, files] : [files, memory];
        const calls = { left: call };
        const killed = await migrateLedger(killedAt(from, calls), killedAt(to, calls), TERMS).catch(
          (error: unknown) => error,
        );
        isOver = !(killed instanceof Error);
        const used = [await isUsed(from), await isUsed(to)];
        expect(used, `killed at call ${call}`).not.toEqual([true, true]);
        if (used[0]) expect(await linesOf(from.ledger)).toEqual(LINES);
        await migrateLedger(from, to, TERMS);
        expect([await isUsed(from), await isUsed(to)]).toEqual([false, true]);
        expect(await linesOf(to.ledger)).toEqual(LINES);
        expect(call).toBeLessThan(20);
      }
    },
  );

  it('has the line that a stop by hand added while it was copied', async () => {
    const { files, memory } = twoPlaces();
    const stop = await files.ledger.openToAppend(null);
    const { transfer } = files.ledger;
    const slow: SharedState = {
      ...files,
      ledger: {
        ...files.ledger,
        transfer: {
          ...transfer,
          setMark: async (...mark) => {
            await stop.append('{"line":"stop"}');
            await transfer.setMark(...mark);
          },
        },
      },
    };
    expect(await migrateLedger(slow, memory, TERMS)).toMatchObject({ lines: 4, added: 4 });
    expect(await linesOf(memory.ledger)).toContain('{"line":"stop"}');
    await stop.close();
  });

  it('stays where it is while a run has the lease of either place', async () => {
    const { files, other, memory } = twoPlaces();
    for (const held of [other, memory]) {
      const lease = await held.leases.take();
      await expect(migrateLedger(files, memory, TERMS)).rejects.toBeInstanceOf(LockHeldError);
      expect(await isUsed(files)).toBe(true);
      await lease.release();
    }
  });

  it('stays where it is if the copy is not the same', async () => {
    const { files, memory } = twoPlaces();
    const forgetful: SharedState = {
      ...memory,
      ledger: {
        ...memory.ledger,
        transfer: { ...memory.ledger.transfer, lines: () => [LINES.slice(1)] },
      },
    };
    await expect(migrateLedger(files, forgetful, TERMS)).rejects.toThrow('has 2 of 3 lines');
    expect([await isUsed(files), await isUsed(memory)]).toEqual([true, false]);
  });

  it('is not copied from a place that it has left for a third one, unless that is asked for', async () => {
    const { files, memory } = twoPlaces();
    await migrateLedger(files, memory, TERMS);
    const third: SharedState = { ledger: memoryLedgerStore(), leases: memoryLeases() };
    const named: SharedState = {
      ...third,
      ledger: {
        ...third.ledger,
        transfer: { ...third.ledger.transfer, place: { name: 'a third place', as: 'THIRD' } },
      },
    };
    await expect(migrateLedger(files, named, TERMS)).rejects.toMatchObject({
      code: 'state-moved',
      next: expect.stringContaining('--force'),
    });
    expect(await migrateLedger(files, named, { ...TERMS, force: true })).toMatchObject({ lines: 3 });
  });

  it('is refused in its old place, also if git has put lines of another branch behind the mark', async () => {
    const { path, files, memory } = twoPlaces();
    await migrateLedger(files, memory, TERMS);
    writeFileSync(path, `${readFileSync(path, 'utf8')}{"line":"branch"}\n`);
    const opened = await files.ledger.open();
    await expect(opened.read(LEDGER_BEGIN, () => undefined)).rejects.toMatchObject({ code: 'state-moved' });
    await opened.close();
    expect(await files.ledger.transfer.leftover()).toMatchObject({ hasMore: true });
    expect(await migrateLedger(files, memory, TERMS)).toMatchObject({ lines: 4, added: 1 });
    expect(await files.ledger.transfer.leftover()).toMatchObject({ lines: 4, hasMore: false });
  });

  it('knows that nothing is left behind, also with the line breaks of another system', async () => {
    const { path, files, memory } = twoPlaces();
    await migrateLedger(files, memory, TERMS);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\n', '\r\n'));
    expect(await files.ledger.transfer.leftover()).toMatchObject({ lines: 3, hasMore: false });
    writeFileSync(path, `{"line":"branch"}\r\n${readFileSync(path, 'utf8')}`);
    expect(await files.ledger.transfer.leftover()).toMatchObject({ hasMore: true });
  });
});
