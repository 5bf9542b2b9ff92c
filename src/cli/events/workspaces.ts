import { inWorkspace } from '../../domain/command-line.ts';
import type { EventWriter, StoredEvent } from '../../domain/event-store.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { loadSettings } from '../../workspace/load.ts';
import { choosePlatformAccounts, openServiceToRead } from '../accounts.ts';
import type { Context } from '../context.ts';

/** One workspace of a receiver: where its events go, and which accounts it has. */
export interface EventWorkspace {
  /** The directory, as it was given; empty for the one of the command. */
  readonly name: string;
  readonly context: Context;
  readonly writer: EventWriter;
  /** The ids of its accounts; null while they are not known. */
  accounts: ReadonlySet<string> | null;
}

/** Opens the stores of all directories, or that of the command. Rejects if one of them cannot be written to. */
export async function openWorkspaces(
  context: Context,
  directories: readonly string[],
): Promise<readonly EventWorkspace[]> {
  if (directories.length === 0) return [await openWorkspace('', context)];
  const open: EventWorkspace[] = [];
  for (const directory of directories)
    open.push(await inWorkspace(directory, () => openWorkspace(directory, context.below(directory))));
  return open;
}

async function openWorkspace(name: string, context: Context): Promise<EventWorkspace> {
  return { name, context, writer: await context.events.openToAdd(), accounts: null };
}

/** The workspace with the account of the event; the first one if there is none. */
export function workspaceOf(
  workspaces: readonly EventWorkspace[],
  { account_id: id, platform_account_id: platformId }: StoredEvent,
): { readonly workspace: EventWorkspace | undefined; readonly isKnown: boolean } {
  const ids = [keyOf('id', id), keyOf('platform', platformId)];
  const found = workspaces.find(({ accounts }) => ids.some((key) => accounts?.has(key)));
  // While accounts are not known, none of them can be called unknown.
  const isKnown = found !== undefined || workspaces.some(({ accounts }) => accounts === null);
  return { workspace: found ?? workspaces[0], isKnown };
}

function keyOf(by: 'id' | 'platform', id: string | null): string {
  return `${by} ${id ?? ''}`;
}

/** Asks the service for the ids of the accounts. Events are stored meanwhile, and also if it fails: false. */
export async function learnAccounts(workspace: EventWorkspace, isFirst: boolean): Promise<boolean> {
  const { context } = workspace;
  try {
    const service = await openServiceToRead(context);
    const { primary, secondary } = service.settings.service.platforms;
    const accounts = await choosePlatformAccounts(service, [], [primary, secondary]);
    workspace.accounts = new Set(
      accounts.flatMap(({ accountId, platformAccountId }) => [
        keyOf('id', accountId),
        keyOf('platform', platformAccountId),
      ]),
    );
    return true;
  } catch (error) {
    if (isFirst)
      context.output.say(
        shown`The accounts of ${workspace.name || 'the workspace'} are not known yet, so their events are not told apart. Herald asks again each minute: ${visibleProse((error as Error).message)}`,
      );
    return false;
  }
}

const DAY_MS = 86_400_000;

/** Removes events that are older than `events.keep`. A file with errors removes nothing. */
export async function dropOld({ context }: EventWorkspace): Promise<void> {
  const loaded = await loadSettings(context.files, { env: context.env, mayLackFile: true });
  if (loaded.kind === 'invalid') return;
  const before = context.clock.now() - loaded.settings.eventsKeepDays * DAY_MS;
  try {
    await context.events.dropBefore(new Date(before).toISOString());
  } catch (error) {
    context.output.say(shown`Old events cannot be removed: ${visibleProse((error as Error).message)}`);
  }
}
