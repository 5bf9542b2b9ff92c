import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { shown } from '../../src/domain/visible.ts';
import { ReaderGoneError } from '../../src/domain/ports.ts';
import { createOutput } from '../../src/host/output.ts';

/** A reader that takes a piece at a time and says when it wants more. */
class Reader extends EventEmitter {
  readonly taken: string[] = [];
  behind = false;
  write(piece: string | Uint8Array): boolean {
    this.taken.push(Buffer.from(piece).toString());
    return !this.behind;
  }
}

const outputTo = (stdout: Reader) =>
  createOutput({ stdout, stderr: new Reader(), noColour: true, quiet: false });

const settledWithin = async (work: Promise<unknown>, turns = 5) => {
  let settled = false;
  void work.finally(() => (settled = true)).catch(() => undefined);
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return settled;
};

describe('a long result', () => {
  it('is written as it is, piece by piece', async () => {
    const reader = new Reader();
    const output = outputTo(reader);
    await output.stream(shown`one`);
    await output.stream(shown`two\n`);
    expect(reader.taken).toEqual(['one', 'two\n']);
  });

  it('waits while the reader is behind', async () => {
    const reader = new Reader();
    reader.behind = true;
    const writing = outputTo(reader).stream(shown`piece`);
    expect(await settledWithin(writing)).toBe(false);
    reader.emit('drain');
    await writing;
    expect(reader.taken).toEqual(['piece']);
  });

  it.each([
    ['while it waits', true],
    ['between two pieces', false],
  ])('ends when the reader goes away %s', async (_, behind) => {
    const reader = new Reader();
    const output = outputTo(reader);
    await output.stream(shown`first`);
    reader.behind = behind;
    const waiting = behind ? output.stream(shown`second`) : null;
    reader.emit('error', Object.assign(new Error('broken pipe'), { code: 'EPIPE' }));
    await expect(waiting ?? output.stream(shown`second`)).rejects.toBeInstanceOf(ReaderGoneError);
    await expect(output.stream(shown`third`)).rejects.toBeInstanceOf(ReaderGoneError);
    expect(reader.taken).not.toContain('third');
  });

  it('fails with what the system says where it cannot be kept', async () => {
    const reader = new Reader();
    reader.behind = true;
    const writing = outputTo(reader).stream(shown`piece`);
    const full = Object.assign(new Error('no space left'), { code: 'ENOSPC', syscall: 'write' });
    reader.emit('error', full);
    await expect(writing).rejects.toBe(full);
  });
});
