import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anywhereFrom } from '../../src/host/confined.ts';
import { FileView } from '../../src/host/file-view.ts';
import { lineFiles, type FileChange, type ReadFile } from '../../src/host/line-files.ts';
import { viewPlaces } from '../../src/host/view-places.ts';

const LEDGER = 'one\ntwo\nthree\n';
const VIEW = Buffer.from('what three lines come to');
const POSITION = 'after three';

let home: string;
let path: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'herald-view-'));
  path = join(home, 'ledger');
  writeFileSync(path, LEDGER);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Opening {
  readonly at?: string;
  readonly name?: string;
  /** What the file system says of the last change, instead of the truth. */
  readonly change?: FileChange;
  /** Gets the places from which bytes are read. */
  readonly starts?: number[];
}

async function withView<Result>(
  { at = path, name = 'view', change, starts = [] }: Opening,
  work: (view: FileView, file: ReadFile) => Promise<Result>,
): Promise<Result> {
  const file = await lineFiles(anywhereFrom('/')).openForReading(at);
  const watched: ReadFile = {
    ...file,
    bytesFrom: (start) => {
      starts.push(start);
      return file.bytesFrom(start);
    },
    change: async () => change ?? file.change(),
  };
  try {
    return await work(new FileView(watched, viewPlaces({}, home), at, name), file);
  } finally {
    await file.close();
  }
}

/** Reads the ledger from a place on, and keeps a view of it. */
async function keep(opening: Opening = {}, bytes = VIEW): Promise<void> {
  await withView(opening, async (view, file) => {
    for await (const _ of view.watched(file.bytesFrom(0), 0));
    await view.save(POSITION, [bytes]);
  });
}

async function load(opening: Opening = {}): Promise<string | null> {
  return withView(opening, async (view) => {
    const loaded = await view.load();
    return loaded === null
      ? null
      : `${Buffer.from(loaded.bytes.at(0, loaded.bytes.length)).toString()} ${loaded.position}`;
  });
}

const KEPT = `${VIEW.toString()} ${POSITION}`;

function cached(ending: string): string {
  const { folder } = viewPlaces({}, home);
  return join(folder, readdirSync(folder).find((name) => name.endsWith(ending)) ?? '');
}

describe('a view of a ledger file', () => {
  it('is used while the file is as it was', async () => {
    expect(await load()).toBeNull();
    await keep();
    expect(await load()).toBe(KEPT);
  });

  it.each([
    ['lines were added', () => appendFileSync(path, 'four\n')],
    ['another file with the same beginning took its place', () => replace(`${LEDGER}four\n`)],
    ['only its times changed', () => utimesSync(path, 1, 1)],
  ])('is used when %s', async (_title, change) => {
    await keep();
    change();
    expect(await load()).toBe(KEPT);
  });

  it.each([
    ['a merge put a line between others', () => writeFileSync(path, 'one\nand a half\ntwo\nthree\n')],
    ['a line was edited in the same length', () => writeFileSync(path, LEDGER.replace('two', 'six'))],
    ['a line is gone', () => writeFileSync(path, 'one\nthree\n')],
    ['it is empty', () => writeFileSync(path, '')],
    [
      'it was edited and its time was set back',
      () => {
        const { atime, mtime } = statSync(path);
        writeFileSync(path, LEDGER.replace('two', 'six'));
        utimesSync(path, atime, mtime);
      },
    ],
  ])('is not used when %s', async (_title, change) => {
    await keep();
    change();
    expect(await load()).toBeNull();
  });

  it('is that of one ledger and one name', async () => {
    await keep();
    cpSync(path, `${path}2`);
    expect(await load({ at: `${path}2` })).toBeNull();
    expect(await load({ name: 'other' })).toBeNull();
  });

  it.each([
    ['its bytes are others', () => writeFileSync(cached('.view'), 'forged')],
    ['it is gone', () => rmSync(cached('.view'))],
    ['no one signed what it was made from', () => writeFileSync(cached('.json'), unsigned(cached('.json')))],
    ['it was signed with another key', () => writeFileSync(viewPlaces({}, home).key, Buffer.alloc(32, 7))],
    ['the key is gone', () => rmSync(viewPlaces({}, home).key)],
  ])('is not used when %s', async (_title, forge) => {
    await keep();
    forge();
    expect(await load()).toBeNull();
  });

  it('is not used for an equal ledger at another place, even under its name', async () => {
    await keep();
    const own = [cached('.json'), cached('.view')];
    const copy = join(home, 'copy');
    cpSync(path, copy);
    await keep({ at: copy }, Buffer.from('of the copy'));
    expect(await load({ at: copy })).toBe(`of the copy ${POSITION}`);
    const { folder } = viewPlaces({}, home);
    const others = readdirSync(folder).map((name) => join(folder, name));
    for (const other of others.filter((one) => !own.includes(one)))
      cpSync(own.find((one) => one.endsWith(extname(other))) ?? '', other);
    expect(await load({ at: copy })).toBeNull();
  });

  it('is used without reading its lines again if the file was not touched for some seconds', async () => {
    const change = { stamp: 'as it was', agoMs: 10_000 };
    await keep({ change });
    const starts: number[] = [];
    expect(await load({ change, starts })).toBe(KEPT);
    expect(starts).toEqual([]);
    expect(await load({ change: { ...change, stamp: 'touched' }, starts })).toBe(KEPT);
    expect(starts, 'the digest was compared').toEqual([0]);
    writeFileSync(path, LEDGER.replace('two', 'six'));
    expect(await load({ change: { ...change, stamp: 'touched again' } })).toBeNull();
  });

  it.each([0, 2_999, -5_000])(
    'is compared with the file again if that was changed %d ms before: the next change may have the same time',
    async (agoMs) => {
      const change = { stamp: 'as it was', agoMs };
      await keep({ change });
      writeFileSync(path, LEDGER.replace('two', 'six'));
      expect(await load({ change })).toBeNull();
    },
  );

  it('has a view of more lines after the next reading, which reads only those', async () => {
    await keep();
    appendFileSync(path, 'four\n');
    await withView({}, async (view, file) => {
      await view.load();
      const start = LEDGER.length;
      for await (const _ of view.watched(file.bytesFrom(start), start));
      await view.save('after four', [Buffer.from('four lines')]);
    });
    expect(await load()).toBe('four lines after four');
    writeFileSync(path, `${LEDGER}FOUR\n`);
    expect(await load()).toBeNull();
  });

  it('can only be read by its user', async () => {
    await keep();
    const { key } = viewPlaces({}, home);
    for (const one of [cached('.view'), cached('.json'), key]) expect(statSync(one).mode & 0o077).toBe(0);
  });

  it('is left out if it cannot be kept', async () => {
    writeFileSync(join(home, '.cache'), 'no folder');
    await keep();
    expect(await load()).toBeNull();
  });

  it('is removed if it was not used for two months', async () => {
    await keep({ name: 'old' });
    const old = cached('.view');
    utimesSync(old, 1, 1);
    await keep();
    expect(readdirSync(viewPlaces({}, home).folder)).not.toContain(old.split('/').at(-1));
    expect(await load()).toBe(KEPT);
  });
});

function replace(text: string): void {
  rmSync(path);
  writeFileSync(path, text);
}

function unsigned(binding: string): string {
  const [text = '', signature = ''] = readFileSync(binding, 'utf8').split('\n');
  return `${text.replace('after three', 'after never')}\n${signature}`;
}
