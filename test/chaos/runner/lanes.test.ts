import { expect, it } from 'vitest';
import { inLanes } from './lanes.ts';

it('gives results in the order of the items, whichever is done first', async () => {
  const waits = [3, 0, 1, 0, 2];
  const results: number[] = [];
  for await (const result of inLanes(waits, ['a', 'b', 'c'], afterTurns)) results.push(result);
  expect(results).toEqual(waits);
});

it('works on one item in each lane at a time', async () => {
  const busy = new Set<string>();
  const work = async (turns: number, lane: string) => {
    expect(busy.has(lane)).toBe(false);
    busy.add(lane);
    await afterTurns(turns);
    busy.delete(lane);
    return lane;
  };
  const used = new Set<string>();
  for await (const lane of inLanes([2, 1, 3, 1, 1], ['a', 'b'], work)) used.add(lane);
  expect([...used].sort()).toEqual(['a', 'b']);
});

it('begins nothing new once the caller wants no more', async () => {
  const begun: number[] = [];
  const work = (item: number) => {
    begun.push(item);
    return afterTurns(1);
  };
  for await (const _ of inLanes([1, 2, 3, 4, 5, 6], ['a'], work)) break;
  expect(begun.length).toBeLessThan(4);
});

it('reports an error when its turn comes', async () => {
  const seen: number[] = [];
  const work = async (item: number) => {
    if (item === 2) throw new Error('item 2');
    return afterTurns(item);
  };
  const all = async () => {
    for await (const result of inLanes([1, 2, 3], ['a', 'b'], work)) seen.push(result);
  };
  await expect(all()).rejects.toThrow('item 2');
  expect(seen).toEqual([1]);
});

async function afterTurns(turns: number): Promise<number> {
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return turns;
}
