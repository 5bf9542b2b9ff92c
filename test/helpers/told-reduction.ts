import { knownLists } from '../../src/domain/objects-on-record.ts';
import { freshObject } from '../../src/domain/fresh-object.ts';
import { COLUMNS, type Field } from '../../src/ledger/object-fields.ts';
import type { Reduction } from '../../src/ledger/reduction.ts';

const FIELDS = [...COLUMNS.keys()] as Field[];

/** Everything that a reading tells, as plain values. Only the order of what is known of objects may be another one. */
export function told(reduction: Reduction) {
  const { knowledge, lineOf, saidAt, accountLineOf, ...more } = reduction.result();
  const { objects } = knowledge;
  const lists = knownLists(objects);
  const byKey = [...objects.keys()].toSorted().map((key) => {
    const { accountId, kind, name, ...object } = objects.get(key) ?? freshObject('', '', 'campaign');
    const namesakes = lists.named(accountId, kind, name).map(({ id }) => id);
    const lines = FIELDS.map((field) => [lineOf(key, field), saidAt(key, field)]);
    return { key, accountId, kind, name, ...object, lines, namesakes: namesakes.toSorted() };
  });
  return JSON.parse(
    JSON.stringify({
      ...more,
      answers: [...more.answers].toSorted(),
      accountIds: [...more.accountIds].map(([alias, id]) => [alias, id, accountLineOf(alias)]).toSorted(),
      knowledge: {
        ...knowledge,
        objects: byKey,
        creators: [...knowledge.creators].toSorted(),
        media: [...knowledge.media],
        handStops: [...knowledge.handStops].toSorted(),
      },
      size: objects.size,
      values: [...objects.values()].map(({ id }) => id).toSorted(),
      missing: objects.get('unknown') ?? null,
      sizes: [...lists.sizes].toSorted(),
      mayHaveProtected: lists.mayHaveProtected,
    }),
  ) as unknown;
}
