import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LockHeldError, type Lease } from '../../src/domain/lease.ts';
import {
  LEDGER_BEGIN,
  type KeptViews,
  type LedgerEdit,
  type SharedState,
} from '../../src/domain/ledger-store.ts';
import type { LinePages } from '../../src/domain/ledger-transfer.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import { LedgerReader } from '../../src/ledger/reader.ts';
import { underLease, underLeaseIfFree } from '../../src/ledger/under-lease.ts';
import { flowClock } from './flow-clock.ts';
import { anIntent, anOutcomeLine, textOf, UNKNOWN_CLOCK_SERVICE } from './ledger-builders.ts';
import { NOON } from './scene.ts';

/** A store with what happens to it from outside. */
export interface Fixture {
  readonly state: SharedState;
  /** The same state as another run sees it. */
  readonly other: SharedState;
  /** Puts another ledger in its place, as a `git pull` does. */
  replace(lines: readonly string[]): void | Promise<void>;
  /** Leaves a part of a line at the end, as a crash does; null where a line is there as a whole or not at all. */
  readonly tear: ((part: string) => void) | null;
  /** A lease that no one takes away. */
  lease(): Promise<Lease>;
  /** Another run takes the lease away. */
  steal(): Promise<void>;
  end(): void | Promise<void>;
}

async function linesOf(pages: LinePages): Promise<readonly string[]> {
  const all: string[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

const ONE = '{"line":1}';
const TWO = '{"line":2}';
const THREE = '{"line":3,"text":"añadido"}';
const AT = '2026-06-01T12:00:00.000Z';
/** An edit that leaves the ledger as it is. */
const NOTHING: LedgerEdit = { marks: [], instead: () => null, isArchived: () => false, archive: null };

/** Whether a crash can leave a part of a line in the store. */
interface Kind {
  readonly tears: boolean;
  /** Whether it keeps views of every ledger, however short. */
  readonly keepsViews: boolean;
}

/** What every store of the ledger and of the lease does. */
export function describeState(name: string, make: () => Fixture | Promise<Fixture>, kind: Kind): void {
  describe(name, () => statesBehave(make, kind));
}

function statesBehave(make: () => Fixture | Promise<Fixture>, { tears, keepsViews }: Kind): void {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await make();
  });
  afterEach(() => fixture.end());

  const written = async (...lines: readonly string[]) => {
    const writer = await fixture.state.ledger.openToAppend(await fixture.lease());
    for (const line of lines) await writer.append(line);
    await writer.close();
  };
  /** Each line with its number, as another run reads it. */
  const read = async (from = LEDGER_BEGIN) => {
    const lines = await fixture.other.ledger.open();
    const texts: string[] = [];
    const isSame = await lines.continues(from);
    const end = await lines.read(isSame ? from : LEDGER_BEGIN, (text, number) =>
      texts.push(`${number} ${text}`),
    );
    await lines.close();
    return { texts, isSame, ...end };
  };

  it('is empty before the first line', async () => {
    expect(await read()).toMatchObject({ texts: [], torn: null });
    const lines = await fixture.state.ledger.open();
    expect(await lines.size()).toBe(0);
    await lines.close();
  });

  it('shows a line to other runs once its append is over', async () => {
    const writer = await fixture.state.ledger.openToAppend(await fixture.lease());
    await writer.append(ONE);
    expect((await read()).texts).toEqual([`1 ${ONE}`]);
    await writer.append(THREE);
    expect((await read()).texts).toEqual([`1 ${ONE}`, `2 ${THREE}`]);
    await writer.close();
  });

  it('is read on from a position, with the numbers of the lines', async () => {
    await written(ONE, TWO);
    const { position } = await read();
    expect(await read(position)).toMatchObject({ texts: [], isSame: true });
    await written(THREE);
    expect(await read(position)).toMatchObject({ texts: [`3 ${THREE}`], isSame: true });
  });

  it('is read again from the beginning when another one has taken its place', async () => {
    await written(ONE, TWO);
    const { position } = await read();
    await fixture.replace([TWO, ONE, THREE]);
    expect(await read(position)).toMatchObject({
      texts: [`1 ${TWO}`, `2 ${ONE}`, `3 ${THREE}`],
      isSame: false,
    });
  });

  it('reads to the end what it opened, although another one replaces it meanwhile', async () => {
    await written(ONE, TWO);
    const lines = await fixture.state.ledger.open();
    await fixture.replace([THREE]);
    const texts: string[] = [];
    await lines.read(LEDGER_BEGIN, (text) => texts.push(text));
    await lines.close();
    expect(texts).toEqual([ONE, TWO]);
  });

  it('gives a damaged line with its place', async () => {
    await fixture.replace([ONE, '<<<<<<< ours', textOf([anIntent()]).trimEnd()]);
    const { diagnostics, damaged, knowledge } = await new LedgerReader(fixture.state.ledger, '').read();
    expect(damaged).toEqual([1, 2]);
    expect(diagnostics).toMatchObject([
      { file: fixture.state.ledger.name, line: 1 },
      { file: fixture.state.ledger.name, line: 2 },
    ]);
    expect(knowledge.open).toHaveLength(1);
  });

  it('has the whole lines of two writers, and each hears the lines of the other', async () => {
    await written(ONE);
    const mine = await fixture.state.ledger.openToAppend(await fixture.lease());
    const theirs = await fixture.other.ledger.openToAppend(null);
    await Promise.all([mine.append(TWO), theirs.append(THREE)]);
    const both = [TWO, THREE].toSorted();
    expect([...(await mine.readAdded())].toSorted()).toEqual(both);
    expect([...(await theirs.readAdded())].toSorted()).toEqual(both);
    expect(await mine.readAdded()).toEqual([]);
    expect(await mine.wasReplaced?.()).not.toBe(true);
    await fixture.replace([ONE, THREE]);
    expect(await mine.wasReplaced?.()).not.toBe(false);
    expect(await mine.readAdded(), 'all of one that took its place').toEqual([ONE, THREE]);
    await mine.append(TWO);
    expect(await mine.wasReplaced?.(), 'also after a line was added').not.toBe(false);
    expect((await read()).texts).toEqual([`1 ${ONE}`, `2 ${THREE}`, `3 ${TWO}`]);
    await Promise.all([mine.close(), theirs.close()]);
  });

  it('is compacted in one step: what leaves it is in the archive, and what was added meanwhile stays', async () => {
    const { ledger } = fixture.state;
    await written(ONE, TWO);
    const archive = ledger.archiveFor(AT);
    const lines = await ledger.open();
    const edit: LedgerEdit = {
      marks: ['{"mark":1}'],
      instead: (text, number) => (number === 1 && text === ONE ? ['{"known":1}'] : null),
      isArchived: (text, number) => number === 1 && text === ONE,
      archive,
    };
    await written(THREE);
    await ledger.compact(lines, edit, await fixture.lease());
    await lines.close();
    expect((await read()).texts).toEqual(['1 {"mark":1}', '2 {"known":1}', `3 ${TWO}`, `4 ${THREE}`]);
    const [kept] = await ledger.archives();
    expect(kept?.name).toBe(archive);
    const texts: string[] = [];
    const archived = await kept?.open();
    await archived?.read(LEDGER_BEGIN, (text) => texts.push(text));
    await archived?.close();
    expect(texts).toEqual([ONE]);
  });

  it('is as it was when a compaction breaks', async () => {
    const { ledger } = fixture.state;
    await written(ONE, TWO);
    const lines = await ledger.open();
    const instead = () => {
      throw new Error('a crash');
    };
    const broken = ledger.compact(lines, { ...NOTHING, instead }, await fixture.lease());
    await expect(broken).rejects.toThrow('a crash');
    await lines.close();
    expect((await read()).texts).toEqual([`1 ${ONE}`, `2 ${TWO}`]);
  });

  it('is not replaced by a compaction of which another run has taken the lease meanwhile', async () => {
    const { ledger } = fixture.state;
    await fixture.replace([ONE, TWO]);
    const lease = await fixture.state.leases.take();
    const lines = await ledger.open();
    await fixture.steal();
    const edit = { ...NOTHING, marks: [THREE], archive: ledger.archiveFor(AT), isArchived: () => true };
    await expect(ledger.compact(lines, edit, lease)).rejects.toThrow('nothing was changed, because');
    await lines.close();
    expect((await read()).texts).toEqual([`1 ${ONE}`, `2 ${TWO}`]);
    expect(await ledger.archives()).toEqual([]);
  });

  it('records an intent and its end as every ledger does', async () => {
    const identity = { run: 'run', who: 'me' };
    const store = fixture.state.ledger;
    await fixture.replace([textOf([anIntent()]).trimEnd()]);
    const ledger = await Ledger.open({
      store,
      lease: await fixture.lease(),
      clock: flowClock(NOON),
      identity,
      service: UNKNOWN_CLOCK_SERVICE,
    });
    const { v: _v, at: _at, run: _run, type: _type, entry: _entry, ...done } = anOutcomeLine();
    await ledger.conclude('r-1', done);
    await ledger.close();
    const { knowledge } = await new LedgerReader(fixture.other.ledger, '').read();
    expect([knowledge.open.length, knowledge.objects.size]).toEqual([0, 1]);
  });

  it('takes the lines of another ledger in one step, each once, and again without a change', async () => {
    const { transfer } = fixture.state.ledger;
    await written(ONE, TWO);
    const lease = await fixture.lease();
    expect(await transfer.unite([[TWO, THREE], [THREE]], null, lease)).toBe(1);
    expect(await transfer.unite([[TWO, THREE], [THREE]], null, lease)).toBe(0);
    expect((await read()).texts).toEqual([`1 ${ONE}`, `2 ${TWO}`, `3 ${THREE}`]);
    const opened = await fixture.other.ledger.open();
    expect(await opened.size()).toBe(Buffer.byteLength(`${ONE}\n${TWO}\n${THREE}\n`));
    await opened.close();
    await transfer.uniteArchive(fixture.state.ledger.archiveFor('2026-06-01'), [[ONE], [ONE, TWO]]);
    const [archive] = await fixture.state.ledger.archives();
    const texts: string[] = [];
    const archived = await archive?.open();
    await archived?.read(LEDGER_BEGIN, (text) => texts.push(text));
    await archived?.close();
    expect(texts).toEqual([ONE, TWO]);
  });

  it('is as it was when the lines of another ledger break off', async () => {
    const { transfer } = fixture.state.ledger;
    await written(ONE);
    const broken = async function* () {
      yield [TWO];
      throw new Error('a crash');
    };
    await expect(transfer.unite(broken(), null, await fixture.lease())).rejects.toThrow('a crash');
    expect((await read()).texts).toEqual([`1 ${ONE}`]);
  });

  it('is not used once it has the mark of a move, until the mark is gone', async () => {
    const { ledger } = fixture.state;
    await written(ONE);
    const lease = await fixture.lease();
    const other = { name: 'postgres://db.example/herald (workspace eu)', as: 'HERALD_STATE_URL/eu' };
    const mark = { type: 'moved', other, at: AT, who: 'ana' } as const;
    const late = await fixture.other.ledger.openToAppend(null);
    await ledger.transfer.setMark(mark, lease);
    expect(await fixture.other.ledger.transfer.mark()).toMatchObject(mark);
    const refused = { code: 'state-moved', message: expect.stringContaining(other.name) };
    await expect(fixture.other.ledger.open()).rejects.toMatchObject(refused);
    await expect(fixture.other.ledger.openToAppend(null)).rejects.toMatchObject(refused);
    await late.close();
    expect(await linesOf(ledger.transfer.lines())).toEqual([ONE]);
    expect(await ledger.transfer.unite([[TWO]], { ...mark, type: 'arriving' }, lease)).toBe(1);
    await expect(fixture.other.ledger.open()).rejects.toMatchObject({
      code: 'state-moved',
      next: expect.stringMatching(/^herald state migrate HERALD_STATE_URL\/eu \S+$/),
    });
    await ledger.transfer.unite([], null, lease);
    expect((await read()).texts).toEqual([`1 ${ONE}`, `2 ${TWO}`]);
    expect(await ledger.transfer.mark()).toBeNull();
  });

  it('has a lease on record, which can be ended once, and which its holder does not get back', async () => {
    const { state, other } = fixture;
    expect(await other.leases.record()).toBeNull();
    const lease = await state.leases.take();
    const record = await other.leases.record();
    expect(record).toMatchObject({ words: expect.stringMatching(/process \d+ on/), life: 'alive' });
    if (record === null) return;
    expect(await other.leases.end({ ...record, id: '4711' })).toBe(false);
    expect(await lease.lost()).toBeNull();
    expect(await other.leases.end(record)).toBe(true);
    expect(await lease.lost()).not.toBeNull();
    expect(await other.leases.end(record)).toBe(false);
    const next = await other.leases.take();
    expect(await lease.lost()).toMatch(/taken over/);
    await next.release();
  });

  it('gives its lease to one run at a time, and names the holder', async () => {
    const { state, other } = fixture;
    expect(await other.leases.holder()).toBeNull();
    await underLease(state.leases, async (lease) => {
      expect(await lease.lost()).toBeNull();
      expect(await other.leases.holder()).toMatchObject({
        words: expect.stringMatching(/\S/),
        life: 'alive',
      });
      const refused = other.leases.take();
      await expect(refused).rejects.toBeInstanceOf(LockHeldError);
      await expect(refused).rejects.toMatchObject({ holder: expect.stringMatching(/process \d+ on/) });
      expect(await underLeaseIfFree(other.leases, async (second) => second)).toBeNull();
    });
    expect(await other.leases.holder()).toBeNull();
  });

  it('frees its lease when the work under it fails', async () => {
    const { leases } = fixture.state;
    await expect(underLease(leases, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await underLeaseIfFree(leases, async (lease) => lease !== null)).toBe(true);
  });

  it('notices that the lease of a run was taken away, so that its ledger sends nothing more', async () => {
    const { state } = fixture;
    const lease = await state.leases.take();
    const ledger = await Ledger.open({
      store: state.ledger,
      lease,
      clock: flowClock(NOON),
      identity: { run: 'run', who: 'me' },
      service: UNKNOWN_CLOCK_SERVICE,
    });
    expect(await ledger.lockLost()).toBeNull();
    await fixture.steal();
    expect(await lease.lost()).toMatch(/taken over/);
    expect(await ledger.lockLost()).toMatch(/taken over/);
    await ledger.close();
  });

  if (keepsViews) {
    const kept = async (
      work: (views: KeptViews, read: () => Promise<string>) => Promise<unknown>,
      name = 'view',
    ) => {
      const lines = await fixture.other.ledger.open(name);
      const views = lines.kept ?? null;
      if (views === null) throw new Error('the store keeps no views');
      await work(views, async () => (await lines.read(LEDGER_BEGIN, () => undefined)).position);
      await lines.close();
    };
    const loaded = async (name?: string) => {
      let found = null as { readonly text: string; readonly position: string } | null;
      await kept(async (views) => {
        const view = await views.load();
        if (view === null) return;
        const { bytes, position } = view;
        found = { text: Buffer.from(bytes.at(0, bytes.length)).toString(), position };
      }, name);
      return found;
    };
    const keep = async (text: string) =>
      kept(async (views, readAll) => views.save(await readAll(), [Buffer.from(text), Buffer.from('!')]));

    it('keeps a view of its lines for later readings, until another ledger replaces it', async () => {
      await written(ONE);
      expect(await loaded()).toBeNull();
      await keep('one line');
      await written(TWO);
      const view = await loaded();
      expect(view?.text).toBe('one line!');
      expect((await read(view?.position)).texts).toEqual([`2 ${TWO}`]);
      expect(await loaded('other view')).toBeNull();
      await keep('two lines');
      expect((await loaded())?.text).toBe('two lines!');
      await fixture.replace([ONE, TWO]);
      expect(await loaded()).toBeNull();
    });

    it('has no view of the lines that a compaction has replaced', async () => {
      const { ledger } = fixture.state;
      await written(ONE, TWO);
      await keep('two lines');
      const lines = await ledger.open();
      await ledger.compact(lines, { ...NOTHING, marks: [THREE] }, await fixture.lease());
      await lines.close();
      expect(await loaded()).toBeNull();
    });
  }

  if (tears) {
    it('reports a last line that a crash cut short, and begins a new line after it', async () => {
      await written(ONE);
      fixture.tear?.('{"line":');
      expect(await read()).toMatchObject({ texts: [`1 ${ONE}`], torn: { text: '{"line":', number: 2 } });
      // Without the lease, as a stop by hand does.
      const writer = await fixture.other.ledger.openToAppend(null);
      await writer.append(TWO);
      await writer.close();
      expect(await read()).toMatchObject({ texts: [`1 ${ONE}`, '2 {"line":', `3 ${TWO}`], torn: null });
    });
  }
}
