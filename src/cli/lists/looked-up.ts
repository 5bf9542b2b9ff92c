import { IncompleteScanError, ServiceError } from '../../api/errors.ts';
import { readPages } from '../../api/pages.ts';
import type { ListColumn } from '../../domain/list-column.ts';
import type { Service } from '../accounts.ts';
import type { ListItem } from './list-columns.ts';

/** Adds to the rows of a page what their columns look up. */
export type LookUp = (items: readonly ListItem[]) => Promise<readonly ListItem[]>;

/**
 * Looks up the names behind the ids of figures: members from their list, which is read once, and accounts from
 * `herald.yaml`. Null if no such column is shown. Without the list, the figures are shown without names.
 */
export function lookUpFor(
  { client, settings }: Service,
  shown: readonly ListColumn[],
  warn: (sentence: string) => void,
): LookUp | null {
  const paths = shown.filter(({ lookedUp }) => lookedUp === true).map(({ path }) => path);
  if (paths.length === 0) return null;
  let names: Promise<ReadonlyMap<string, string>> | null = null;
  const readNames = () => (paths.includes('user_name') ? memberNames(client, warn) : NO_NAMES);
  const aliases = new Map(
    settings.accounts.flatMap(({ alias, selector }) =>
      selector.by === 'id' ? [[selector.value, alias] as const] : [],
    ),
  );
  return async (items) => {
    if (items.length === 0) return items;
    names ??= readNames();
    const known = await names;
    return items.map((item) => ({
      ...item,
      user_name: known.get(String(item['user_id'])) ?? null,
      creators: idsIn(item['creator_ids']).map((id) => aliases.get(id) ?? id),
    }));
  };
}

const NO_NAMES: Promise<ReadonlyMap<string, string>> = Promise.resolve(new Map());

async function memberNames(
  client: Service['client'],
  warn: (sentence: string) => void,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  try {
    for await (const page of readPages(client, 'team.members', { params: {} }))
      for (const { id, name, customName } of page) {
        const known = [customName, name].find((one) => typeof one === 'string' && one !== '');
        if (typeof known === 'string') names.set(String(id), known);
      }
  } catch (error) {
    if (!(error instanceof ServiceError) && !(error instanceof IncompleteScanError)) throw error;
    warn(`The names of members could not be read: ${error.message}`);
  }
  return names;
}

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
