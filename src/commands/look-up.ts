import { isUnread } from '../api/errors.ts';
import { readPages } from '../api/pages.ts';
import type { Service } from '../cli/accounts.ts';
import type { Context } from '../cli/context.ts';
import type { ListItem } from '../cli/print-rows.ts';
import type { ListColumn } from '../domain/list-column.ts';
import { groupBy } from '../domain/group-by.ts';
import { hasCode } from '../domain/herald-error.ts';
import type { Kind } from '../domain/resource.ts';
import { broadcastStatusOf, type BroadcastStatus } from '../domain/status.ts';
import { declaredIn } from '../library/local-media.ts';
import { nameService, withState } from '../library/state-access.ts';
import { digestDeclared } from '../plan/compare/content.ts';
import type { ObjectRow } from '../state/shapes.ts';

/** Adds to rows what their columns look up. `--state` and folding leave some of them out. */
export function finishRows(
  sources: Sources,
  columns: readonly ListColumn[],
  { state, isFolding }: { readonly state: string | undefined; readonly isFolding: boolean },
) {
  const paths = columns.filter(({ lookedUp }) => lookedUp === true).map(({ path }) => path);
  const lookUp = async (path: string) => (await LOOK_UPS[path]?.(sources)) ?? (() => null);
  const open = async () => ({
    found: await Promise.all(paths.map(async (path) => [path, await lookUp(path)] as const)),
    readState: state === undefined ? null : await lookUp('state'),
    isReplaced:
      isFolding && state === undefined && paths.includes('state') ? await findReplaced(sources) : null,
  });
  let opened: ReturnType<typeof open> | null = null;
  let folded = 0;
  return {
    finish: async (items: readonly ListItem[]): Promise<readonly ListItem[]> => {
      if (items.length === 0 || (paths.length === 0 && state === undefined)) return items;
      const { found, readState, isReplaced } = await (opened ??= open());
      const wanted = items.filter((item) => readState === null || readState(item) === state);
      const rest = wanted.filter((item) => isReplaced?.(item) !== true);
      folded += wanted.length - rest.length;
      return rest.map((item) => ({
        ...item,
        ...Object.fromEntries(found.map(([path, find]) => [path, find(item)])),
      }));
    },
    countFolded: () => folded,
  };
}

/** What the service does not say of a row, by the paths of the columns that show it. */
const LOOK_UPS: Readonly<Record<string, LookUp>> = {
  user_name: findMembers,
  creators: findCreators,
  current: findCurrent,
  state: findStates,
};

interface Sources {
  readonly context: Context;
  readonly service: Service;
  /** The accounts of the list, with their ids as far as they are known. */
  readonly accounts: readonly { readonly alias: string; readonly accountId: string | null }[];
  readonly warn: (sentence: string) => void;
}

/** Reads what it needs, once for all rows of a list, and returns how to find the value of a row. */
type LookUp = (sources: Sources) => Promise<(item: ListItem) => unknown>;

/** Members by their ids, from their list. Without it, figures are shown without names. */
async function findMembers({ service: { client }, warn }: Sources): Promise<(item: ListItem) => unknown> {
  const names = new Map<string, string>();
  try {
    for await (const page of readPages(client, 'team.members', { params: {} }))
      for (const { id, name, customName } of page) {
        const known = [customName, name].find((one) => typeof one === 'string' && one !== '');
        if (typeof known === 'string') names.set(String(id), known);
      }
  } catch (error) {
    if (!isUnread(error)) throw error;
    warn(`The names of members could not be read: ${error.message}`);
  }
  return (item) => names.get(String(item['user_id'])) ?? null;
}

async function findCreators({ service: { settings } }: Sources): Promise<(item: ListItem) => unknown> {
  const aliases = new Map(
    settings.accounts.flatMap(({ alias, selector }) =>
      selector.by === 'id' ? [[selector.value, alias] as const] : [],
    ),
  );
  return ({ creator_ids: ids }) =>
    (Array.isArray(ids) ? ids.map(String) : []).map((id) => aliases.get(id) ?? id);
}

/**
 * Which campaign of a name is the one to go on with: `file` if its content on record is that of the file, else `newest` for the
 * newest on record. It costs no request: what was declared for each is in the state, and the files are here. A campaign that is not
 * on record has no word.
 */
async function findCurrent(sources: Sources): Promise<(item: ListItem) => unknown> {
  const objects = await readObjects(sources, 'campaign');
  const digests = objects.length === 0 ? new Map<string, string>() : await readDigests(sources);
  const current = new Map<string, string>();
  for (const versions of groupBy(objects, ({ account, name }) => `${account}/campaign/${name}`).values()) {
    const newestFirst = versions.toSorted((left, right) => right.first_seq - left.first_seq);
    const declared = newestFirst.find(
      ({ account, name, declared_digest: digest }) =>
        digest !== null && digests.get(`${account}/campaign/${name}`) === digest,
    );
    const chosen = declared ?? newestFirst[0];
    if (chosen !== undefined)
      current.set(nameRow(chosen.account, chosen.live_id), declared ? 'file' : 'newest');
  }
  return ({ account, id }) => current.get(nameRow(account, id)) ?? null;
}

/** The words of `--state`. */
export const STATES = ['waiting', 'sending', 'paused', 'finished', 'recalled', 'archived'] as const;

/** A status without a name, and one without a value, count as sent (BROADCAST-12). */
const STATE_WORDS: Readonly<Record<BroadcastStatus, (typeof STATES)[number]>> = {
  scheduled: 'waiting',
  queued: 'sending',
  sending: 'sending',
  paused: 'paused',
  archived: 'archived',
  none: 'finished',
  unnamed: 'finished',
};

/** An archived broadcast that still has its hour never left (BROADCAST-11). Only the state knows that one was recalled. */
async function findStates(sources: Sources): Promise<(item: ListItem) => unknown> {
  const objects = await readObjects(sources, 'broadcast');
  const recalled = new Set(
    objects.filter((one) => one.recalled === 1).map((one) => nameRow(one.account, one.live_id)),
  );
  return ({ account, id, status, scheduled_at: hour }) => {
    if (recalled.has(nameRow(account, id))) return 'recalled';
    const word = STATE_WORDS[broadcastStatusOf({ status: typeof status === 'string' ? status : null })];
    return word === 'archived' && hour == null ? 'finished' : word;
  };
}

/** Broadcasts that an apply paused because it made another one in their place: the file was moved or changed. */
async function findReplaced(sources: Sources): Promise<(item: ListItem) => boolean> {
  const objects = await readObjects(sources, 'broadcast');
  const replaced = new Set(
    objects.filter((one) => one.replaced_by !== null).map((one) => nameRow(one.account, one.live_id)),
  );
  return ({ account, id, status }) => status === 'paused' && replaced.has(nameRow(account, id));
}

function nameRow(account: unknown, id: unknown): string {
  return JSON.stringify([account, id]);
}

/** The objects on record, with the names of their accounts in this list. A state that cannot be read names none. */
async function readObjects(
  { context, service: { client }, accounts }: Sources,
  kind: Kind,
): Promise<readonly (ObjectRow & { readonly account: string })[]> {
  const aliases = new Map(accounts.map(({ alias, accountId }) => [accountId ?? '', alias]));
  try {
    const { objects } = await withState(
      context.state.read(() => nameService(client)),
      (state) => state.known([...aliases.keys()]),
    );
    return objects
      .filter((row) => row.kind === kind)
      .map((row) => ({ ...row, account: aliases.get(row.account_id) ?? row.account_id }));
  } catch (error) {
    if (hasCode(error, 'state-')) return [];
    throw error;
  }
}

/** The digest of what the files declare, by address. None if they have errors. */
async function readDigests({ context }: Sources): Promise<ReadonlyMap<string, string>> {
  const loaded = await declaredIn(context, context);
  const declared = loaded.kind === 'loaded' ? loaded.declared : [];
  return new Map(
    declared.map((one) => [`${one.address.account}/${one.kind}/${one.address.name}`, digestDeclared(one)]),
  );
}
