import { inWorkspace } from '../../domain/command-line.ts';
import type { StoredEvent } from '../../domain/event-store.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { GroupCommit } from '../../events/group-commit.ts';
import { configuredState } from '../../library/configured-state.ts';
import { loadSettings } from '../../workspace/load.ts';
import { choosePlatformAccounts, openServiceToRead } from '../accounts.ts';
import type { Context } from '../context.ts';
import { statePorts } from '../with-configured-state.ts';

/** One workspace of a receiver: where its events go, and which accounts it has. */
export interface EventWorkspace {
  /** The directory, as it was given; empty for the one of the command. */
  readonly name: string;
  readonly context: Context;
  readonly commit: GroupCommit;
  /** The ids of its accounts; null while they are not known. */
  accounts: ReadonlySet<string> | null;
  close(): Promise<void>;
}

/** Opens the stores of all directories, or that of the command. Rejects if one of them cannot be written to. */
export async function openWorkspaces(
  context: Context,
  directories: readonly string[],
): Promise<readonly EventWorkspace[]> {
  if (directories.length === 0) return [await opened('', context, () => Promise.resolve())];
  const open: EventWorkspace[] = [];
  try {
    for (const directory of directories) {
      const inner = context.below(directory);
      const configured = await inWorkspace(directory, () => configuredState(statePorts(inner)));
      const own = { ...inner, state: configured.state, events: configured.events };
      open.push(await opened(directory, own, () => configured.close()));
    }
    return open;
  } catch (error) {
    for (const workspace of open) await workspace.close();
    throw error;
  }
}

async function opened(name: string, context: Context, close: () => Promise<void>): Promise<EventWorkspace> {
  const commit = new GroupCommit(await context.events.openToAdd());
  return {
    name,
    context,
    commit,
    accounts: null,
    close: async () => {
      await commit.close();
      await close();
    },
  };
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
