import { expect, it } from 'vitest';
import { LEDGER_BEGIN, LONG_READING_BYTES } from '../../src/domain/ledger-store.ts';
import { PostgresLines, type Extent } from '../../src/postgres/ledger-lines.ts';

/** How often a reading of all or the last of ten lines asks to keep the heap small. */
async function asked(extent: Pick<Extent, 'bytes'>, from: string): Promise<number> {
  let times = 0;
  const rows = Array.from({ length: 10 }, (_, index) => ({ position: index + 1, id: 'x', line: '{}' }));
  const lines = new PostgresLines(
    async (_text, values = []) => rows.filter(({ position }) => position > Number(values[2])),
    { workspace: 'w', epoch: '1', last: 10, mark: null, ...extent },
    null,
    () => void (times += 1),
  );
  await lines.read(from, () => undefined);
  return times;
}

it('a long reading from a database keeps the heap small, and one of the last lines does not', async () => {
  const nine = JSON.stringify({ workspace: 'w', epoch: '1', last: 9 });
  expect(await asked({ bytes: LONG_READING_BYTES }, LEDGER_BEGIN)).toBe(1);
  expect(await asked({ bytes: LONG_READING_BYTES - 1 }, LEDGER_BEGIN)).toBe(0);
  expect(await asked({ bytes: LONG_READING_BYTES }, nine)).toBe(0);
});
