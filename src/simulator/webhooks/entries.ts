import { notFound, Refusal } from '../refusal.ts';
import { setTimer } from '../timers.ts';
import type { World } from '../world.ts';
import type { Entry, EntryEditOutput, EntryOutput } from './state.ts';

/** The limits of an organisation (EVENT-4). */
const ENTRIES_MAX = 100;
const PER_ACCOUNT_MAX = 2;
const IDENTICAL_MAX = 2;

/** The organisation of the default accounts. */
const ORGANISATION = '1';

/** Adds an entry. From now on the uploads of the world move by themselves, and not only when a list is read. */
export function addEntry(world: World, input: EntryOutput): Entry {
  const entry = filled(String(world.webhooks.nextEntry), input);
  requireLimits(world, [...world.webhooks.entries, entry], entry);
  world.webhooks.nextEntry += 1;
  world.webhooks.entries.push(entry);
  for (const { live, vault } of Object.values(world.accounts))
    for (const { id, nextMs } of vault.records)
      if (nextMs !== null) setTimer(world, nextMs, { kind: 'upload_move', account_id: live.id, id });
  return entry;
}

export function editEntry(world: World, id: string, edit: EntryEditOutput): Entry {
  const known = findEntry(world, id);
  const given = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== undefined));
  const entry = { ...filled(id, { ...known, ...given }), failures: known.failures };
  const others = world.webhooks.entries.filter((other) => other !== known);
  requireLimits(world, [...others, entry], entry);
  return Object.assign(known, entry);
}

export function removeEntry(world: World, id: string): void {
  const known = findEntry(world, id);
  world.webhooks.entries = world.webhooks.entries.filter((other) => other !== known);
}

function findEntry({ webhooks }: World, id: string): Entry {
  const found = webhooks.entries.find((entry) => entry.id === id);
  if (found === undefined) throw notFound(`Webhook ${id}`);
  return found;
}

function filled(id: string, input: EntryOutput): Entry {
  const { url, accounts = null, events = null, organisation_id = ORGANISATION } = input;
  const { envelope = 'flat', signature = null } = input;
  return {
    id,
    url,
    accounts,
    events,
    organisation_id,
    envelope,
    signature,
    failures: 0,
  };
}

/** Assumed: an entry without accounts counts for none of them (EVENT-4). */
function requireLimits(world: World, all: readonly Entry[], entry: Entry): void {
  const own = all.filter(({ organisation_id: id }) => id === entry.organisation_id);
  if (own.length > ENTRIES_MAX) throw refused(`at most ${ENTRIES_MAX} URLs for an organisation`);
  if (own.filter(({ url }) => url === entry.url).length > IDENTICAL_MAX)
    throw refused(`at most ${IDENTICAL_MAX} identical URLs for an organisation`);
  for (const account of entry.accounts ?? []) {
    if (world.accounts[account] === undefined) throw notFound(`Account ${account}`);
    if (own.filter(({ accounts }) => accounts?.includes(account)).length > PER_ACCOUNT_MAX)
      throw refused(`at most ${PER_ACCOUNT_MAX} URLs for account ${account}`);
  }
}

function refused(message: string): Refusal {
  return new Refusal(400, message);
}
