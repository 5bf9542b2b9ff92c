import { DEFAULT_RANGE_DAYS, fullRange, givenRange } from '../instant-range.ts';
import type { Place } from '../../api/pages.ts';
import { type ListDefinition } from '../../api/lists.ts';
import { FILTERS, type FilterDefinition, type FilterName } from '../../api/row.ts';
import { HeraldError, hasCode } from '../../domain/herald-error.ts';

/** The flags of a list command, with the filters as commander gives them. */
export interface ListFlags {
  readonly account: readonly string[];
  readonly limit: number | undefined;
  /** Where to begin, in the way of the list. */
  readonly start: Place;
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly columns: string | undefined;
  readonly filters: Readonly<Partial<Record<FilterName, string | readonly string[] | boolean>>>;
}

export type Query = Readonly<Record<string, string | boolean | readonly string[]>>;

export interface Queries {
  /** Usually one. Several if there are more values than one request takes. */
  readonly queries: readonly Query[];
  /** A sentence about the default range, or null. */
  readonly notice: string | null;
}

/** The queries, without pages. Throws for values that the service would refuse. */
export function buildQueries(definition: ListDefinition, flags: ListFlags, nowMs: number): Queries {
  const range = rangeQuery(definition, flags, nowMs);
  const filters = definition.filters.map((name) => filterQueries(FILTERS[name], flags.filters[name]));
  const queries = filters.reduce<readonly Query[]>(
    (all, ways) => all.flatMap((query) => ways.map((way) => ({ ...query, ...way }))),
    [range.query],
  );
  return { queries, notice: range.notice };
}

function rangeQuery(
  { range }: ListDefinition,
  { from, to }: ListFlags,
  nowMs: number,
): { readonly query: Query; readonly notice: string | null } {
  if (range === undefined) return { query: {}, notice: null };
  try {
    const ends = range.required ? fullRange({ from, to }, nowMs) : givenRange({ from, to }, nowMs);
    const query = {
      ...(ends.from === undefined ? {} : { [range.from]: ends.from }),
      ...(ends.to === undefined ? {} : { [range.to]: ends.to }),
    };
    const given = !range.required || from !== undefined;
    const words = `${range.of} from ${ends.from} to ${ends.to}: ${DEFAULT_RANGE_DAYS} days, because --from was not given.`;
    return { query, notice: given ? null : `${words.charAt(0).toUpperCase()}${words.slice(1)}` };
  } catch (error) {
    if (hasCode(error, 'bad-flag')) throw new HeraldError('bad-flag', error.message);
    throw error;
  }
}

/** The queries for one filter: one, or one for each chunk of values. */
function filterQueries(
  filter: FilterDefinition,
  given: string | readonly string[] | boolean | undefined,
): readonly Query[] {
  const { query, takes } = filter;
  if (takes === 'switch') return [{ [query]: given === true }];
  if (given === undefined || typeof given === 'boolean') return [{}];
  const [flag = ''] = filter.flag.split(' ');
  // Remove repeated values, or their rows would appear once in each chunk.
  const values = [...new Set([given].flat())];
  if (values.length === 0) return [{}];
  // An empty value would be left out of the query, and select everything.
  if (values.includes('')) throw new HeraldError('bad-flag', `${flag} is empty.`);
  if (takes === 'text') return values.map((value) => ({ [query]: value }));
  const most = filter.most ?? values.length;
  if (values.length > most && filter.inChunks !== true) {
    throw new HeraldError(
      'bad-flag',
      `${flag} was given ${values.length} times, and the service takes at most ${most}. Figures of several requests cannot be combined.`,
    );
  }
  const chunks = Math.ceil(values.length / most);
  return Array.from({ length: chunks }, (_, index) => ({
    [query]: values.slice(index * most, (index + 1) * most),
  }));
}
