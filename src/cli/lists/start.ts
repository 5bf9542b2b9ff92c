import { CATALOGUE } from '../../api/catalogue.ts';
import type { Place } from '../../api/pages.ts';
import type { Paging } from '../../api/row.ts';
import type { ListDefinition } from '../../api/lists.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** A flag that says where a list begins. */
export interface StartFlag {
  readonly flag: string;
  readonly description: string;
  /** Commander's name for its value. */
  readonly key: string;
  readonly place: (value: string) => Place;
}

const handedBack = (name: string) => (value: string) => ({ handedBack: { [name]: value } });

const OFFSET: StartFlag = {
  flag: '--offset <number>',
  description: 'leave out this many rows at the start of each account',
  key: 'offset',
  place: (value) => ({ offset: Number(value) }),
};

const START_FLAGS: Readonly<Record<Paging['style'], readonly StartFlag[]>> = {
  none: [],
  cursor: [
    {
      flag: '--cursor <cursor>',
      description: 'go on where --limit ended an earlier list; JSON has it as next_cursor',
      key: 'cursor',
      place: handedBack('cursor'),
    },
  ],
  offset: [OFFSET],
  offset_total: [OFFSET],
  has_more: [OFFSET],
  marker: [
    OFFSET,
    {
      flag: '--marker <marker>',
      description: 'read the snapshot of an earlier list; JSON has its marker',
      key: 'marker',
      place: handedBack('marker'),
    },
  ],
  message_id: [
    {
      flag: '--before <id>',
      description: 'begin behind this message, as the service orders them',
      key: 'before',
      place: handedBack('message_id'),
    },
  ],
};

/** The flags that say where this list begins. Its paging style decides. */
export function startFlagsOf({ operation }: ListDefinition): readonly StartFlag[] {
  return START_FLAGS[CATALOGUE[operation].paging.style];
}

/** Where the list begins. Throws for an offset that is not a number. */
export function startOf(definition: ListDefinition, flags: Readonly<Record<string, unknown>>): Place {
  let start: Place = {};
  for (const { key, place } of startFlagsOf(definition)) {
    const value = flags[key];
    if (typeof value !== 'string') continue;
    if (key !== 'cursor' && !/^\d{1,19}$/.test(value))
      throw new HeraldError('bad-flag', `--${key} must be a whole number.`);
    const next = place(value);
    start = { ...start, ...next, handedBack: { ...start.handedBack, ...next.handedBack } };
  }
  return start;
}

/** A cursor, a marker and a message belong to the list of one account. */
export function refuseSeveral({ handedBack: given = {} }: Place, places: number): void {
  if (places <= 1 || Object.keys(given).length === 0) return;
  throw new HeraldError(
    'bad-flag',
    'A cursor, a marker or a message belongs to the list of one account.',
    'Add --account.',
  );
}
