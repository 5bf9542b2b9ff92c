import type { Context } from './context.ts';
import { compareText } from '../domain/diagnostic.ts';
import { nameEvent, type StoredEvent } from '../events/event.ts';
import { loadSettings } from '../workspace/load.ts';

/** An event as it is shown. */
interface ShownEvent extends StoredEvent {
  /** A short name of the event, for `events show`. */
  readonly ref: string;
  /** The alias of the workspace; null for other accounts. */
  readonly account: string | null;
}

/** The stored events that are asked for, newest first. */
export async function readEvents(
  context: Context,
  isAsked: (event: StoredEvent, alias: string | null) => boolean,
): Promise<readonly ShownEvent[]> {
  const aliases = await readAliases(context);
  const found: ShownEvent[] = [];
  await context.events.read((event) => {
    const { account_id: id, platform_account_id: platformId } = event;
    const alias = aliases.get(`id ${id}`) ?? aliases.get(`platform_account_id ${platformId}`) ?? null;
    if (isAsked(event, alias)) found.push({ ...event, ref: nameEvent(event), account: alias });
  });
  return found.toSorted((left, right) => compareText(right.received_at, left.received_at));
}

/** The aliases by the ids that the file states. Events can be read without a valid file. */
async function readAliases({ env, files }: Context): Promise<ReadonlyMap<string, string>> {
  const loaded = await loadSettings(files, { env, mayLackFile: true });
  if (loaded.kind === 'invalid') return new Map();
  return new Map(
    loaded.settings.accounts.flatMap(({ alias, selector, platformAccountId }) => [
      [`${selector.by} ${selector.value}`, alias] as const,
      [`platform_account_id ${platformAccountId}`, alias] as const,
    ]),
  );
}
