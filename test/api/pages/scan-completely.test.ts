import { describe, expect, it } from 'vitest';
import { IncompleteScanError } from '../../../src/api/errors.ts';
import { fc } from '../../helpers/properties.ts';
import { ACCOUNT, reading, upTo, type Answer } from './reading.ts';

const items = (from: number, to: number) => upTo(to - from).map((index) => ({ id: String(from + index) }));

/** A list of so many items that answers truly. */
const truly = (total: number) => (offset: number) => ({
  items: items(offset, Math.min(total, offset + 100)),
  has_more: offset + 100 < total,
});

/** Scans; answers what was found and the offsets that were asked for. */
async function scan(read: (offset: number, nth: number) => object) {
  const answer: Answer = ({ offset }, nth) => read(Number(offset), nth);
  const found = await reading('campaigns.list', { params: ACCOUNT }, answer, { what: 'the things of x' });
  if (found.error !== null) throw found.error;
  return {
    ids: found.items.map(({ id }) => Number(id)),
    offsets: found.asked.map(({ offset }) => Number(offset)),
  };
}

// LIST-4
describe('a complete scan', () => {
  it.each([0, 1, 99, 100, 101, 250])('of %i items costs one request a hundred', async (total) => {
    const { ids, offsets } = await scan(truly(total));
    expect(ids).toEqual(upTo(total));
    expect(offsets).toHaveLength(Math.max(1, Math.ceil(total / 100)));
  });

  it.each([
    ['page 1 being empty', 1, 0, 0],
    ['page 2 being empty', 2, 0, 0],
    ['page 3 being empty', 3, 0, 0],
    ['page 2 being the one before', 2, 0, 100],
    ['page 3 being the one before', 3, 100, 200],
  ])('loses nothing to %s once although there is more', async (_title, bad, from, to) => {
    const honest = truly(300);
    const { ids } = await scan((offset, nth) =>
      nth === bad ? { items: items(from, to), has_more: true } : honest(offset),
    );
    expect(ids).toEqual(upTo(300));
  });

  it('goes past a gap of up to three hundred places that stay empty', async () => {
    const gap = (offset: number) =>
      offset < 300 ? { items: [], has_more: true } : { items: items(300, 310), has_more: false };
    expect((await scan(gap)).ids).toEqual(upTo(310).slice(300));
  });

  it('is incomplete where empty pages promised more, and nothing came', async () => {
    const broken = scan((offset) => ({ items: [], has_more: offset === 0 }));
    await expect(broken).rejects.toThrow('the list said that more follows, and shows nothing more');
  });

  it('gives up where the list shows nothing new for longer', async () => {
    const never = scan((offset) => ({ items: offset === 0 ? items(0, 100) : [], has_more: true }));
    await expect(never).rejects.toThrow(IncompleteScanError);
    await expect(never).rejects.toThrow('the things of x: the list goes on, but shows nothing new');
    await expect(scan(() => ({ items: items(0, 5), has_more: true }))).rejects.toThrow('nothing new');
  });

  it.each([undefined, null, 'false', 0, 1])(
    'goes on to an empty page when has_more is %j',
    async (has_more) => {
      const honest = truly(250);
      const { ids } = await scan((offset) => ({ items: honest(offset).items, has_more }));
      expect(ids).toEqual(upTo(250));
    },
  );

  it('gives up on a list that grows faster than it is read', async () => {
    let next = 0;
    const growing = scan(() => ({ items: [{ id: String(next++) }], has_more: true }));
    await expect(growing).rejects.toThrow('no end after 1000 pages');
  });

  /** Scans a list with a head that grows before each page; answers the ids that were there at the start and were missed. */
  const missedIn = async (total: number, growth: readonly number[]) => {
    const list = items(0, total).toReversed();
    let made = total;
    const { ids } = await scan((offset, nth) => {
      for (let more = growth[nth - 1] ?? 0; more > 0; more -= 1) list.unshift({ id: String(made++) });
      return { items: list.slice(offset, offset + 100), has_more: offset + 100 < list.length };
    });
    return upTo(total).filter((id) => !ids.includes(id));
  };
  const totals = fc.integer({ min: 0, max: 700 });
  const growths = (max: number) => fc.array(fc.integer({ min: 0, max }), { maxLength: 12 });

  it('is complete or fails, but is never short, where the list grows by whole pages meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(totals, growths(250), async (total, growth) => {
        const missed = await missedIn(total, growth).catch((error: unknown) => {
          expect(error).toBeInstanceOf(IncompleteScanError);
          return [];
        });
        expect(missed).toEqual([]);
      }),
    );
  });
});
