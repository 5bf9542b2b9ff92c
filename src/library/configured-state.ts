import { formatCommand } from '../domain/command-line.ts';
import type { EventStore } from '../domain/event-store.ts';
import type { SharedState } from '../domain/ledger-store.ts';
import type { Clock, Files } from '../domain/ports.ts';
import { readSecret } from '../domain/secret.ts';
import { isLoopback } from '../domain/service-identity.ts';
import { StateError } from '../domain/state-error.ts';
import { fillVariables } from '../workspace/environment.ts';
import type { DatabaseSettings, StateSettings } from '../workspace/state.ts';
import type { PostgresState } from '../postgres/state.ts';
import { nextToFiles } from './next-to-files.ts';

export interface StatePorts {
  readonly clock: Clock;
  readonly files: Pick<Files, 'readText'>;
  /** The state in files, which is used unless `herald.yaml` names another place. */
  readonly state: SharedState;
  /** The events in files, with the same rule. */
  readonly events: EventStore;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The person or the job, for others who wait for the lease. */
  readonly who: string;
  /** This process and its machine. */
  readonly process: string;
  /** What git says of the folder: `owner/name:folder` for each remote. */
  readonly remotes: () => readonly string[];
}

/** The state that `herald.yaml` names. */
export interface ConfiguredState {
  readonly state: SharedState;
  readonly events: EventStore;
  /** The database; null for files. */
  readonly postgres: PostgresState | null;
  /** The name of the workspace in the database; null for files. */
  readonly workspace: string | null;
  close(): Promise<void>;
}

/**
 * Opens the state that `herald.yaml` names. It sends nothing. Where the file or the environment is wrong, the state
 * rejects with the reason as soon as something uses it: a run must never go on with an empty ledger instead.
 */
export async function configuredState(ports: StatePorts): Promise<ConfiguredState> {
  let text;
  try {
    text = await ports.files.readText('herald.yaml');
  } catch (error) {
    if (isMissing(error)) return inFiles(ports);
    return refused(error);
  }
  const { readState } = await import('../workspace/state.ts');
  try {
    return await open(ports, readState(text));
  } catch (error) {
    return refused(error);
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'ENOENT' || code === 'ENOTDIR';
}

async function open(ports: StatePorts, settings: StateSettings): Promise<ConfiguredState> {
  if (settings.kind === 'files') return inFiles({ ...ports, state: keeping(ports.state, settings) });
  if (settings.kind === 'unknown')
    throw new StateError(
      'state-url',
      'herald.yaml has errors, so Herald does not know where the ledger is.',
      formatCommand('validate'),
    );
  const { variable, workspace } = settings;
  if (readSecret(ports.env, variable) === null)
    throw new StateError(
      'state-url',
      `herald.yaml keeps the ledger in a database, and ${variable} is not set.`,
      `Set ${variable} to postgres://USER:PASSWORD@HOST/DATABASE.`,
    );
  const postgres = await databaseState(ports, settings);
  const ledger = nextToFiles(postgres.ledger, ports.state.ledger);
  // The lines that the database does not take are kept in the workspace.
  const state = keeping({ ...postgres, ledger, rescue: ports.state.rescue }, settings);
  return { state, events: postgres.events, postgres, workspace, close: () => postgres.close() };
}

/** The state with the ledger's rule about texts. It is about new lines only. */
function keeping(state: SharedState, { storesTexts }: { readonly storesTexts: boolean }): SharedState {
  return storesTexts ? state : { ...state, ledger: { ...state.ledger, keepsTexts: false } };
}

/** Opens the state in a database, whatever is in the files. It connects with the first use. */
export async function databaseState(
  { env, clock, who, process, remotes }: Omit<StatePorts, 'state' | 'events' | 'files'>,
  { variable, workspace, serviceUrl, leaseSec, retrySec }: DatabaseSettings,
): Promise<PostgresState> {
  const { postgresState } = await import('../postgres/state.ts');
  const url = readSecret(env, variable) ?? '';
  const holder = `${who}, ${process},`;
  const repository = { remotes: remotes(), service: serviceOrigin(env, serviceUrl) };
  return postgresState({
    url,
    variable,
    workspace,
    repository,
    clock,
    holder,
    leaseSec,
    retrySec,
    onLongReading: async () => (await import('../host/heap.ts')).keepHeapSmall(),
  });
}

/** Null for a simulator, and where the address is not known. */
function serviceOrigin(env: StatePorts['env'], written: string | null): string | null {
  const given = env['HERALD_BASE_URL'] ?? '';
  const url = given === '' && written !== null ? fillVariables(written, [], env, []) : given;
  if (!URL.canParse(url)) return null;
  const address = new URL(url);
  return isLoopback(address) ? null : address.origin;
}

function inFiles({ state, events }: Pick<StatePorts, 'state' | 'events'>): ConfiguredState {
  return { state, events, postgres: null, workspace: null, close: () => Promise.resolve() };
}

/** A state that rejects each use for this reason. Commands that need no state work. */
function refused(error: unknown): ConfiguredState {
  const refuse = () => Promise.reject(error);
  const state: SharedState = {
    ledger: {
      name: 'the state database',
      open: refuse,
      openToAppend: refuse,
      archives: refuse,
      archiveFor: (at) => at,
      compact: refuse,
      transfer: {
        place: { name: 'the state database', as: 'DATABASE' },
        mark: refuse,
        setMark: refuse,
        lines: () => {
          throw error;
        },
        unite: refuse,
        uniteArchive: refuse,
        leftover: refuse,
      },
    },
    leases: { take: refuse, holder: refuse, record: refuse, end: refuse },
    rates: { exchange: refuse, beforeClose: () => undefined },
  };
  const events: EventStore = {
    name: state.ledger.name,
    openToAdd: refuse,
    read: refuse,
    end: refuse,
    dropBefore: refuse,
    erase: refuse,
  };
  return inFiles({ state, events });
}
