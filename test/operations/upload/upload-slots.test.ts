import { describe, expect, it } from 'vitest';
import { UploadSlots } from '../../../src/operations/upload/upload-slots.ts';

/** Work that is under way until it is told to end; `most` is the most that was under way at once. */
function work() {
  const slots = new UploadSlots();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (account: string, name: string) =>
    slots.run(account, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    await quiet();
  };
  return { slots, begun, ask, end };
}

const quiet = () => new Promise((resolve) => setImmediate(resolve));

describe('slots', () => {
  it('let two of one account and four of all be under way, in the order of asking', async () => {
    const { begun, ask, end } = work();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('alice', name);
    for (const name of ['b1', 'b2', 'b3']) void ask('bob', name);
    void ask('carol', 'c1');
    await quiet();
    expect(begun).toEqual(['a1', 'a2', 'b1', 'b2']);
    await end('b1');
    expect(begun.slice(4)).toEqual(['b3']);
    await end('a2');
    expect(begun.slice(5)).toEqual(['a3']);
    await end('b2');
    await end('b3');
    expect(begun.slice(6), 'alice has two under way').toEqual(['c1']);
    await end('a1');
    expect(begun.slice(7)).toEqual(['a4']);
  });

  it('are free again after work that fails, and its failure is heard by who asked', async () => {
    const slots = new UploadSlots();
    const failing = Array.from({ length: 6 }, () =>
      slots.run('alice', () => Promise.reject(new Error('broken'))),
    );
    expect((await Promise.allSettled(failing)).every(({ status }) => status === 'rejected')).toBe(true);
    expect(await slots.run('alice', () => Promise.resolve('done'))).toBe('done');
  });
});
