import type { LedgerLine } from '../../src/ledger/lines.ts';
import { aLedgerOf } from './ledger-arbitrary.ts';
import { fc } from './properties.ts';

const SIMULATORS = ['http://127.0.0.1:4010', 'http://127.0.0.1:4020', 'simulator:.herald/world.json'];

const origin = fc.constantFrom(undefined, undefined, ...SIMULATORS);

interface Touch {
  /** `its run` leaves it with its run. */
  readonly about: string | undefined;
  readonly renamed: number | null;
  readonly skew: number | null | undefined;
  readonly place: number;
}

/** What is done to a drawn line: which run wrote it, and whether it is one that only an editor would write. */
const touch: fc.Arbitrary<Touch> = fc.record({
  about: fc.oneof({ weight: 3, arbitrary: fc.constant('its run') }, origin),
  renamed: fc.option(fc.nat(6), { freq: 8 }),
  skew: fc.constantFrom(undefined, null, 0, 700, -3_600_000),
  place: fc.nat(),
});

/** A ledger of several services in which everything may be about everything, in any order, and edited. */
export const tangled: fc.Arbitrary<readonly LedgerLine[]> = fc
  .tuple(fc.array(fc.tuple(aLedgerOf('r'), origin), { minLength: 1, maxLength: 4 }), fc.infiniteStream(touch))
  .map(([ledgers, dice]) =>
    ledgers
      .flatMap(([lines, about], ledger) =>
        lines.map((line) => touched(line, `${ledger}`, about, dice.next().value as Touch)),
      )
      .toSorted((left, right) => left.place - right.place)
      .map(({ line }) => line),
  );

function touched(
  line: LedgerLine,
  ledger: string,
  runs: string | undefined,
  { about: drawn, ...more }: Touch,
) {
  const about = drawn === 'its run' ? runs : drawn;
  const { renamed, skew, place } = more;
  const run = `${ledger}-${about ?? ''}`;
  const named = { ...line, run, ...(about === undefined ? {} : { origin: about }) };
  if (!('entry' in named)) return { place, line: named };
  // Two acts of one name are told by the last of them, which each reader takes as it likes.
  const entry = renamed === null || line.type === 'act' ? `${ledger}${named.entry}` : `0r-${renamed}`;
  return { place, line: { ...named, entry, ...(skew === undefined ? {} : { skew_ms: skew }) } };
}

/** The same with some of its lines again at other places. */
export const doubled: fc.Arbitrary<readonly LedgerLine[]> = fc
  .tuple(tangled, fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 }))
  .map(([lines, copies]) => {
    const all = [...lines];
    for (const [from, to] of copies) {
      const line = all[from % Math.max(1, all.length)];
      if (line !== undefined) all.splice(to % (all.length + 1), 0, line);
    }
    return all;
  });
